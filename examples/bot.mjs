// A bot in JavaScript that plays a match: `node examples/bot.mjs`, or with an opponent and a seed,
// `node examples/bot.mjs casual 7`. The engine knows the rules, deals, counts, and plays the other
// side (docs/notation.md). DILOTI is the command that starts it, where that is not `diloti`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// The play that takes most of what this seat sees; to empty the table is worth a xeri.
function choose(view, plays) {
  const lying = view.loose.length + view.piles.flatMap((pile) => pile.components.flat()).length;
  const worth = (play) => {
    const taken = (play.split("x")[1] ?? "").replaceAll(/[[\]]/g, "").length / 2;
    return taken && taken === lying ? taken + 10 : taken;
  };
  return plays.reduce((best, play) => (worth(play) > worth(best) ? play : best));
}

const engine = spawn(`${process.env.DILOTI ?? "diloti"} engine`, {
  shell: true,
  stdio: ["pipe", "pipe", "inherit"],
});
engine.stdin.on("error", () => {}); // whoever asks an engine that has ended finds no answer
const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

async function ask(op, request) {
  engine.stdin.write(`${JSON.stringify({ op, ...request })}\n`);
  const { value, done } = await answers.next();
  if (done) throw new Error("the engine has ended");
  const answer = JSON.parse(value);
  if (answer.error) throw new Error(answer.error.message);
  return answer;
}

const [opponent = "greedy", match = "1"] = process.argv.slice(2);
const rules = { base: "classic" };
let [scores, winner] = [[0, 0], null];
for (let deal = 0; winner === null; deal++) {
  const seed = 1000 * Number(match) + deal;
  let { position } = await ask("deal", { rules, dealer: deal % 2, seed, scores });
  while (position.turn !== null) {
    let play;
    if (position.turn === 0) {
      const { view } = await ask("view", { position, seat: 0 });
      play = choose(view, (await ask("legal", { position })).plays);
    } else {
      ({ play } = await ask("choose", { position, bot: opponent, seed: position.plays }));
    }
    ({ position } = await ask("apply", { position, play }));
  }
  ({ scores, winner } = await ask("score", { position }));
  console.log(`Deal ${deal + 1}: ${scores.join(" : ")}`);
}
console.log(winner === 0 ? "I have won." : `I have lost to ${opponent}.`);
engine.stdin.end();
