"""How the page of a review looks."""

STYLE = """
:root{color-scheme:light dark;--ink:#1d2321;--paper:#f6f3ea;--line:#c9c1aa;--quiet:#55605b;
--card:#fffdf6;--red:#b8201b;--accent:#1f6f8b;--good:#2d6a3e;--warn:#8a5a00;--bad:#a3170f;
font:100%/1.5 system-ui,"Noto Sans","DejaVu Sans",sans-serif}
@media(prefers-color-scheme:dark){:root{--ink:#ecebe4;--paper:#161a18;--line:#4a544e;
--quiet:#a9b3ad;--accent:#7cc4dd;--good:#8fd3a2;--warn:#f0c05a;--bad:#ff9c92}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink)}
main{max-width:46rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2}
h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:.8rem 0 .3rem}
p,h1,h2,h3,summary,li{overflow-wrap:anywhere}
a{color:inherit}
a,summary{min-height:44px}
li>a,th>a{display:inline-flex;align-items:center;min-width:44px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse}
th,td{padding:.2rem .9rem .2rem 0;text-align:left;border-bottom:1px solid var(--line)}
.scroll{overflow-x:auto}
.chart{width:100%;min-width:34rem;height:auto;display:block}
.chart text{font-size:12px;fill:var(--quiet)}
.grid{stroke:var(--line);fill:none}
.line{fill:none;stroke:var(--accent);stroke-width:2}
.slip{stroke:var(--bad);stroke-width:2}
.side-0{fill:var(--bad)}
.side-1{fill:var(--paper)}
.plays{list-style:none;padding:0;margin:0}
.plays>li{border-left:.4rem solid var(--line);padding-left:.6rem;margin:.3rem 0}
.plays>.best,.plays>.good{border-left-style:solid}
.plays>.best{border-color:var(--good)}
.plays>.inaccuracy{border-color:var(--warn);border-left-style:dashed}
.plays>.mistake,.plays>.blunder{border-color:var(--bad);border-left-style:double}
.inaccuracy b{color:var(--warn)}
.mistake b,.blunder b{color:var(--bad)}
.plays>li:target{background:color-mix(in srgb,var(--accent) 15%,transparent)}
summary{cursor:pointer;display:flex;align-items:center;gap:.5rem}
summary::before{content:"▸" / ""}
[open]>summary::before{content:"▾" / ""}
summary b{font-weight:600;font-size:.9em}
.cards{display:flex;flex-wrap:wrap;gap:.3rem;align-items:flex-end}
.card{width:2.2rem;height:3rem;border:1px solid #8a8370;border-radius:.3rem;background:var(--card);
color:#1b1b1b;text-align:center;line-height:1.25;font-weight:600;padding-top:.15rem}
.card.red{color:var(--red)}
figure{margin:0;padding:.3rem;border:1px dashed var(--line);border-radius:.4rem}
figcaption{font-size:.85rem}
@media(prefers-color-scheme:dark){.card.red{color:#b8201b}}
@media print{details::details-content{content-visibility:visible}}
"""
