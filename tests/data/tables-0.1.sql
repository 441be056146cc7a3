BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE places (
	person VARCHAR(32) NOT NULL, 
	room VARCHAR(32) NOT NULL, 
	PRIMARY KEY (person, room)
);
INSERT INTO "places" VALUES('anna','waiting');
INSERT INTO "places" VALUES('anna','playing');
INSERT INTO "places" VALUES('boris','playing');
INSERT INTO "places" VALUES('anna','counting');
INSERT INTO "places" VALUES('boris','counting');
INSERT INTO "places" VALUES('anna','over');
INSERT INTO "places" VALUES('boris','over');
INSERT INTO "places" VALUES('anna','four');
INSERT INTO "places" VALUES('boris','four');
CREATE TABLE rooms (
	id VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	invitation VARCHAR(32) NOT NULL, 
	is_listed BOOLEAN NOT NULL, 
	changed FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('waiting',0,'{"format": 1, "rules": {"base": "classic"}, "seats": [{"name": "Anna", "person": "anna", "bot": "", "is_ready": false}, {"name": "", "person": "", "bot": "", "is_ready": false}], "settings": {"is_listed": true, "is_practice": false, "clock": null}, "invitation": "open-sesame", "number": 0, "remarks": [], "turn_began": 0.0, "record": "Diloti record 1\nRules: classic\nFingerprint: 0281435373fbf75f\nSeat 0:\nSeat 1:\nFirst dealer: 0\n\nResult: unfinished\n"}','open-sesame',1,1790000000.0);
INSERT INTO "rooms" VALUES('playing',11,'{"format": 1, "rules": {"base": "classic"}, "seats": [{"name": "Anna", "person": "anna", "bot": "", "is_ready": false}, {"name": "\u0411\u043e\u0440\u0438\u0441", "person": "boris", "bot": "", "is_ready": false}], "settings": {"is_listed": false, "is_practice": false, "clock": 30}, "invitation": "", "number": 11, "remarks": [{"seat": 0, "phrase": "hello", "at": 11}], "turn_began": 0.0, "record": "Diloti record 1\nRules: classic\nFingerprint: 0281435373fbf75f\nSeat 0:\nSeat 1:\nFirst dealer: 1\n\nDeal 1\nDealer: 1\nShuffle: sha256-1 0000000000000000000000000000000000000000000000000000000000000001\nPack: 4c 9d 8s Th Jc 7d 5c 8d 2h Tc 6d Kc 4s 6s 7h 5d Qs 3c 3h 2c Jd 3s 2s Qd Td Kh Qc 8h 6h Kd 6c 3d 7c Ts Ks 5s 7s 5h 9s 8c 2d Jh 9h Js Ah Ac 9c Ad Qh 4d 4h As\n\n 1. 9dx4s5d    2h+6s=8\n 2. 8sx[2h6s]  5c\n 3. 7d         6d\n 4. 4c+6d=10   Tcx[4c6d]\n 5. Th\n\nResult: unfinished\n"}','',0,1790000001.0);
INSERT INTO "rooms" VALUES('counting',50,'{"format": 1, "rules": {"base": "classic"}, "seats": [{"name": "Anna", "person": "anna", "bot": "", "is_ready": true}, {"name": "\u0411\u043e\u0440\u0438\u0441", "person": "boris", "bot": "", "is_ready": false}], "settings": {"is_listed": false, "is_practice": false, "clock": null}, "invitation": "", "number": 50, "remarks": [], "turn_began": 0.0, "record": "Diloti record 1\nRules: classic\nFingerprint: 0281435373fbf75f\nSeat 0:\nSeat 1:\nFirst dealer: 1\n\nDeal 1\nDealer: 1\nShuffle: sha256-1 0000000000000000000000000000000000000000000000000000000000000002\nPack: 8h 9d 4d 7s 7d 4s 8s Qh 6c Tc 3h Kh Kd 9s 2d 4c Ah Kc 2c 8d Ts 9c As Ac Qd Td 6d 2h 8c Qs 5d 3s 3c 6s Ad 9h Ks Th 4h 7c 3d Js Jd Jh 5s Qc 6h 7h Jc 2s 5h 5c\n\n 1. 7d+2d9s=9      KhxKd\n 2. 9dx[2d7d9s]    8s\n 3. 4d+4c=4        3h\n 4. 4sx[4c4d]      Tc\n 5. 8hx8s          Qh\n 6. 7s             6c\n\n 7. 2c+3h6c7s=9    TdxTc\n 8. 9cx[2c3h6c7s]  QdxQh*\n 9. 8d             6d\n10. Ts             2h\n11. Kc             Ac\n12. AhxAc          As\n\n13. 3cxAs2h        Ad+8d=9\n14. 6sx6d          9hx[Ad8d]\n15. 8c             ThxTs\n16. 3s             KsxKc\n17. Qs             4h+3s=7\n18. 5d             7cx[3s4h]\n\n19. 5sx5d          2s\n20. QcxQs          5c+2s=7\n21. 3d             7hx[2s5c]\n22. Jd             JcxJd\n23. Jh             5h\n24. JsxJh          6h\n\ncards: 4 : 0\naces: 3 : 1\nten_of_diamonds: 0 : 2\ntwo_of_clubs: 1 : 0\nxeri: 0 : 10\nxeristaki: 0 : 0\npoints: 8 : 13\nmatch: 8 : 13\n\nResult: unfinished\n"}','',0,1790000002.0);
INSERT INTO "rooms" VALUES('over',49,'{"format": 1, "rules": {"base": "classic", "target": 5}, "seats": [{"name": "Anna", "person": "anna", "bot": "", "is_ready": false}, {"name": "\u0411\u043e\u0440\u0438\u0441", "person": "boris", "bot": "", "is_ready": false}], "settings": {"is_listed": false, "is_practice": false, "clock": null}, "invitation": "", "number": 49, "remarks": [], "turn_began": 0.0, "record": "Diloti record 1\nRules: classic, target=5\nFingerprint: 3cf651aa4f7fb7fb\nSeat 0:\nSeat 1:\nFirst dealer: 1\n\nDeal 1\nDealer: 1\nShuffle: sha256-1 0000000000000000000000000000000000000000000000000000000000000003\nPack: 2h 8s 7h Qh 3h Ac 3c 4h 4d Jc 9c Kh 5h Jh Qc 8h Td Ts 7c Tc 2c Kd 2d 9h As 6h 7s 3d 4s Ad 7d Th 6d 4c 9d 9s 6c 6s Kc 5s 8c 5d 5c Ah 8d Ks Qd 3s 2s Js Jd Qs\n\n 1. 3h+5h8h=8        JcxJh\n 2. 8sx[3h5h8h]      3c\n 3. 2h               4d+2h3c=9\n 4. 7h               9cx[2h3c4d]\n 5. QhxQc            4h\n 6. Ac               Kh\n\n 7. 2c+Ac7h=10       3d+4h=7\n 8. Tdx[Ac2c7h]      7sx[3d4h]\n 9. KdxKh*           2d\n10. Tc               9h\n11. TsxTc            6h\n12. 7c               As\n\n13. Ad+As2d7c9h=10   6c+6h=6\n14. Thx[AdAs2d7c9h]  6sx[6c6h]*\n15. 4c               5s+4c=9\n16. 4s               9d+[4c5s]=9\n17. 6d               9sx[4c5s9d]\n18. 7d               Kc\n\n19. Ah+4s=5          3s\n20. 5cx[Ah4s]        Jd\n21. 5d+3s=8          JsxJd\n22. 8c+[3s5d]=8      Qd\n23. 8dx[3s5d8c]      QsxQd\n24. KsxKc            2s\n\ncards: 4 : 0\naces: 4 : 0\nten_of_diamonds: 2 : 0\ntwo_of_clubs: 1 : 0\nxeri: 10 : 10\nxeristaki: 0 : 0\npoints: 21 : 10\nmatch: 21 : 10\n\nResult: side 0 won\n"}','',0,1790000003.0);
INSERT INTO "rooms" VALUES('four',15,'{"format": 1, "rules": {"base": "taverna"}, "seats": [{"name": "Anna", "person": "anna", "bot": "", "is_ready": false}, {"name": "", "person": "", "bot": "strong", "is_ready": false}, {"name": "Boris", "person": "boris", "bot": "regular", "is_ready": false}, {"name": "", "person": "", "bot": "novice", "is_ready": false}], "settings": {"is_listed": false, "is_practice": true, "clock": null}, "invitation": "", "number": 15, "remarks": [], "turn_began": 0.0, "record": "Diloti record 1\nRules: taverna\nFingerprint: 145ff4381839c45e\nSeat 0:\nSeat 1:\nSeat 2:\nSeat 3:\nFirst dealer: 3\n\nDeal 1\nDealer: 3\nShuffle: sha256-1 0000000000000000000000000000000000000000000000000000000000000004\nPack: As 2c 6h Kc 8c 5d 9d 6c Ac 3s 7s 4s 9h Jd 4d 7d 9s 3c Qd Kh 8s 5h Tc 6d 9c Qh Ah 5s Jc 7h Qs 2h 6s 5c 3d Th 4h Jh 2s Kd Ks 4c Qc 8d Ad Ts 3h 7c 2d Js Td 8h\n\n 1. AsxAh      5dx5s      9d         5h\n 2. 9hx9c9d    3c+5h=8    Qd         3s\n 3. Jd         8cx[3c5h]  8s         4s+3s=7\n 4. 4d         7dx[3s4s]\n\nResult: unfinished\n"}','',0,1790000004.0);
CREATE TABLE secrets (
	name VARCHAR(32) NOT NULL, 
	value VARCHAR(128) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('signing key','an old key');
CREATE INDEX ix_rooms_invitation ON rooms (invitation);
CREATE INDEX ix_rooms_changed ON rooms (changed);
COMMIT;
