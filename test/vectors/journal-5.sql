BEGIN;
CREATE TABLE stamp (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    bridge TEXT NOT NULL,
    environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
    created_at TEXT NOT NULL,
    probe BLOB
  ) STRICT;
CREATE TABLE payments (
    payment TEXT PRIMARY KEY CHECK (instr(payment, char(10)) = 0),
    register TEXT NOT NULL,
    reference TEXT NOT NULL,
    terminal TEXT NOT NULL,
    order_key TEXT,
    type TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    open INTEGER NOT NULL CHECK (open IN (0, 1)),
    created_at TEXT NOT NULL,
    last INTEGER NOT NULL,
    seal TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX payments_reference ON payments (register, reference);
CREATE INDEX payments_newest ON payments (created_at, payment);
CREATE INDEX payments_open ON payments (created_at, payment) WHERE open = 1;
CREATE INDEX payments_any_register ON payments (reference);
CREATE TABLE facts (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    payment TEXT NOT NULL REFERENCES payments (payment),
    at TEXT NOT NULL CHECK (instr(at, char(10)) = 0),
    fact TEXT NOT NULL CHECK (instr(fact, char(10)) = 0),
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
CREATE INDEX facts_payment ON facts (payment, number);
CREATE TRIGGER facts_never_change BEFORE UPDATE ON facts BEGIN SELECT RAISE(ABORT, 'facts never change'); END;
CREATE TRIGGER payments_never_go BEFORE DELETE ON payments BEGIN SELECT RAISE(ABORT, 'payments never go'); END;
CREATE INDEX facts_operation ON facts (json_extract(fact, '$.operation.merchantTransactionId'))
    WHERE json_extract(fact, '$.operation.merchantTransactionId') IS NOT NULL;
CREATE INDEX facts_gateway_id
    ON facts (coalesce(json_extract(fact, '$.answer.id'), json_extract(fact, '$.gatewayId'), json_extract(fact, '$.sight.transactionId')))
    WHERE coalesce(json_extract(fact, '$.answer.id'), json_extract(fact, '$.gatewayId'), json_extract(fact, '$.sight.transactionId')) IS NOT NULL;
CREATE TABLE cursor_key (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    key TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
CREATE TABLE rollbacks (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    noticed TEXT NOT NULL,
    confirmed TEXT,
    seal TEXT NOT NULL
  ) STRICT;
CREATE TRIGGER rollbacks_never_go BEFORE DELETE ON rollbacks BEGIN SELECT RAISE(ABORT, 'rollbacks never go'); END;
CREATE TRIGGER confirmed_rollbacks_never_change BEFORE UPDATE ON rollbacks WHEN OLD.confirmed IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'confirmed rollbacks never change'); END;
CREATE TABLE segments (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    sealed_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    payments INTEGER NOT NULL,
    names INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    runs TEXT NOT NULL,
    sequence_number INTEGER NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
CREATE TABLE archived_payments (
    payment TEXT NOT NULL REFERENCES payments (payment),
    segment INTEGER NOT NULL REFERENCES segments (number),
    last INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
CREATE UNIQUE INDEX archived_payments_payment ON archived_payments (payment, segment);
CREATE TABLE archived_names (kind TEXT NOT NULL CHECK (kind IN ('operation', 'gateway', 'channel')), name TEXT NOT NULL, payment TEXT NOT NULL) STRICT;
CREATE INDEX archived_names_name ON archived_names (kind, name, payment);
CREATE TRIGGER facts_never_go BEFORE DELETE ON facts
    WHEN NOT EXISTS (SELECT 1 FROM archived_payments WHERE payment = OLD.payment AND last >= OLD.number)
    BEGIN SELECT RAISE(ABORT, 'facts never go but into the archive'); END;
CREATE TRIGGER segments_never_change BEFORE UPDATE ON segments BEGIN SELECT RAISE(ABORT, 'segments never change'); END;
CREATE TRIGGER segments_never_go BEFORE DELETE ON segments BEGIN SELECT RAISE(ABORT, 'segments never go'); END;
CREATE TRIGGER archived_payments_never_change BEFORE UPDATE ON archived_payments BEGIN SELECT RAISE(ABORT, 'archived payments never change'); END;
CREATE TRIGGER archived_payments_never_go BEFORE DELETE ON archived_payments BEGIN SELECT RAISE(ABORT, 'archived payments never go'); END;
INSERT INTO stamp VALUES (1, 'brg_4892ff4c9cc1f94d6d2c904c', 'test', '2026-11-23T23:32:43.249Z', randomblob(49152));
INSERT INTO payments VALUES ('pay_000000000000000000000001', 'till', 'R-1', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:01:00.000Z', 9, 'b3d5d5b42fc84979046422fe4a3e343be9d342666a552d4baaee41d11215b8a8');
INSERT INTO payments VALUES ('pay_000000000000000000000002', 'till', 'R-2', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:02:00.000Z', 18, 'd049a3f28c297b8152cf3d0b1229b14de7ba8852f126524721deb13bcc318017');
INSERT INTO payments VALUES ('pay_000000000000000000000003', 'till', 'R-3', 'till-1', null, 'SALE', 'EUR', 1234, 'AUTHORIZING', null, 1, '2026-11-20T10:03:00.000Z', 22, '3e3eb6b2f58821bd51e4c0fb9faaa6187aab79b426be44a3dcb314ec0b50e06a');
INSERT INTO payments VALUES ('pay_000000000000000000000004', 'till', 'R-4', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:04:00.000Z', 31, '20a94c0023e066647a53011c811226bfd7a8633d23700e1f63482ca8817c39b7');
INSERT INTO payments VALUES ('pay_000000000000000000000005', 'till', 'R-5', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:05:00.000Z', 40, '2c79932a7eccd1b5f8dcd5084968a18d8de3237e3b9acf7b16fd126685f81943');
INSERT INTO payments VALUES ('pay_000000000000000000000006', 'till', 'R-6', 'till-1', null, 'SALE', 'EUR', 1234, 'AUTHORIZING', null, 1, '2026-11-20T10:06:00.000Z', 44, '933b52d42baf7368486c3dbf7294c93db7ddddcdc625abb2050f9f04373871a5');
INSERT INTO facts VALUES (1, 'pay_000000000000000000000001', '2026-11-20T10:01:00.000Z', '{"fact":"accepted","at":1795168860000,"id":"pay_000000000000000000000001","reference":"R-1","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '4399ed63112e6d4980b4f903a2f63339644e08f6d511c6068d5bc3677e2710da', 'b3c1e3d4cc4aed7b0ba5738d19721530dc406e181850b5310b62dc39f6fa0fb2');
INSERT INTO facts VALUES (2, 'pay_000000000000000000000001', '2026-11-20T10:01:00.010Z', '{"fact":"collecting","at":1795168860010}', 'b3c1e3d4cc4aed7b0ba5738d19721530dc406e181850b5310b62dc39f6fa0fb2', '900c4c367b8b3a2544da8736052ca9cfdf3dc43797e621463be0976e2c28753d');
INSERT INTO facts VALUES (3, 'pay_000000000000000000000001', '2026-11-20T10:01:00.020Z', '{"fact":"card-presented","at":1795168860020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '900c4c367b8b3a2544da8736052ca9cfdf3dc43797e621463be0976e2c28753d', 'a1be4b4a2e7864beddfe60f35ed4bc79792f44e6a870fa4cc90f29ced4937f91');
INSERT INTO facts VALUES (4, 'pay_000000000000000000000001', '2026-11-20T10:01:00.020Z', '{"fact":"attempt-intended","at":1795168860020,"operation":{"merchantTransactionId":"name-1-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'a1be4b4a2e7864beddfe60f35ed4bc79792f44e6a870fa4cc90f29ced4937f91', 'f5698368918a5bc010954055fa28ce38ebc1cb732c1693845354eb2711417e14');
INSERT INTO facts VALUES (5, 'pay_000000000000000000000001', '2026-11-20T10:01:00.030Z', '{"fact":"attempt-answered","at":1795168860030,"merchantTransactionId":"name-1-2","answer":{"is":"approved","id":"booking-1","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', 'f5698368918a5bc010954055fa28ce38ebc1cb732c1693845354eb2711417e14', '937996277d8b496acfbb1189d418deef313489b54aeb45cdc7406dbdaec10c20');
INSERT INTO facts VALUES (6, 'pay_000000000000000000000001', '2026-11-20T10:01:00.030Z', '{"fact":"issuer-told","at":1795168860030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '937996277d8b496acfbb1189d418deef313489b54aeb45cdc7406dbdaec10c20', '1479ab63049a62e6b8e79d31f6bdd7eacff6eea34d8d321fd7f5920c3eb87e23');
INSERT INTO facts VALUES (7, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"card-finished","at":1795168860040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '1479ab63049a62e6b8e79d31f6bdd7eacff6eea34d8d321fd7f5920c3eb87e23', '5b28bfefba423f034e4b4ae73fd91bd1ed374f4948a3b0b2bde96e8ad764dcb0');
INSERT INTO facts VALUES (8, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"concluded","at":1795168860040,"outcome":"APPROVED"}', '5b28bfefba423f034e4b4ae73fd91bd1ed374f4948a3b0b2bde96e8ad764dcb0', 'ccb629d7f83e6ff9f96c6ec69f8c78867f93e6e0f01fa6bf65f04511b71b0b56');
INSERT INTO facts VALUES (9, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"attempt-intended","at":1795168860040,"operation":{"merchantTransactionId":"name-1-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-1"}}', 'ccb629d7f83e6ff9f96c6ec69f8c78867f93e6e0f01fa6bf65f04511b71b0b56', '6d7453c0e6cb4afbda7d6ed715d4b324dd9b8e75278026e1756e4857585c6cb6');
INSERT INTO facts VALUES (10, 'pay_000000000000000000000002', '2026-11-20T10:02:00.000Z', '{"fact":"accepted","at":1795168920000,"id":"pay_000000000000000000000002","reference":"R-2","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '6d7453c0e6cb4afbda7d6ed715d4b324dd9b8e75278026e1756e4857585c6cb6', '20a8ca7de23097898dad8370b993ee37379175b9a4b19a372ac69181943a0d42');
INSERT INTO facts VALUES (11, 'pay_000000000000000000000002', '2026-11-20T10:02:00.010Z', '{"fact":"collecting","at":1795168920010}', '20a8ca7de23097898dad8370b993ee37379175b9a4b19a372ac69181943a0d42', '792a030a9f5b9645f5ba3a627246160af1cfbe8e4007f0e305e0a201135e6fa9');
INSERT INTO facts VALUES (12, 'pay_000000000000000000000002', '2026-11-20T10:02:00.020Z', '{"fact":"card-presented","at":1795168920020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '792a030a9f5b9645f5ba3a627246160af1cfbe8e4007f0e305e0a201135e6fa9', '5c9989953c72367bc7fa90ded55dbb0dfd4824b3ae7e653c0d59e9fa4e7e1005');
INSERT INTO facts VALUES (13, 'pay_000000000000000000000002', '2026-11-20T10:02:00.020Z', '{"fact":"attempt-intended","at":1795168920020,"operation":{"merchantTransactionId":"name-2-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '5c9989953c72367bc7fa90ded55dbb0dfd4824b3ae7e653c0d59e9fa4e7e1005', '79752d402e508c92d5b36d301854864784a55fca0467c7fb146ba375c70c4987');
INSERT INTO facts VALUES (14, 'pay_000000000000000000000002', '2026-11-20T10:02:00.030Z', '{"fact":"attempt-answered","at":1795168920030,"merchantTransactionId":"name-2-2","answer":{"is":"approved","id":"booking-2","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', '79752d402e508c92d5b36d301854864784a55fca0467c7fb146ba375c70c4987', '7762fbd48a36322659339a21fcc788dd215f006c90268899879c521226b4fa7c');
INSERT INTO facts VALUES (15, 'pay_000000000000000000000002', '2026-11-20T10:02:00.030Z', '{"fact":"issuer-told","at":1795168920030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '7762fbd48a36322659339a21fcc788dd215f006c90268899879c521226b4fa7c', '4b7f06ea168fd7c58c9eddf43c1e54f56a74abbaf9012864f1e177ac98683e3d');
INSERT INTO facts VALUES (16, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"card-finished","at":1795168920040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '4b7f06ea168fd7c58c9eddf43c1e54f56a74abbaf9012864f1e177ac98683e3d', 'ef2dcf2f8802376d6f73aec5d87fbc608348de342e7b49b45d01768466b4622f');
INSERT INTO facts VALUES (17, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"concluded","at":1795168920040,"outcome":"APPROVED"}', 'ef2dcf2f8802376d6f73aec5d87fbc608348de342e7b49b45d01768466b4622f', 'f14e487348232a087ee49b7db361d40dec48f7605f51c7d41da63f3ac266a695');
INSERT INTO facts VALUES (18, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"attempt-intended","at":1795168920040,"operation":{"merchantTransactionId":"name-2-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-2"}}', 'f14e487348232a087ee49b7db361d40dec48f7605f51c7d41da63f3ac266a695', '5a4da52ab1abe8fa1edbc2d26e2714749a35a6605c4986b7f669c221c70970b0');
INSERT INTO facts VALUES (19, 'pay_000000000000000000000003', '2026-11-20T10:03:00.000Z', '{"fact":"accepted","at":1795168980000,"id":"pay_000000000000000000000003","reference":"R-3","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '5a4da52ab1abe8fa1edbc2d26e2714749a35a6605c4986b7f669c221c70970b0', '51b87ba8ae076fd29bc5bb5cd7ade290398bf206e7c1548628f57010d36a7406');
INSERT INTO facts VALUES (20, 'pay_000000000000000000000003', '2026-11-20T10:03:00.010Z', '{"fact":"collecting","at":1795168980010}', '51b87ba8ae076fd29bc5bb5cd7ade290398bf206e7c1548628f57010d36a7406', 'd7dd7fc8c7df9bab4c0f1da3f65e78b7f544c45131b209b3e58e17ab4697d83c');
INSERT INTO facts VALUES (21, 'pay_000000000000000000000003', '2026-11-20T10:03:00.020Z', '{"fact":"card-presented","at":1795168980020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', 'd7dd7fc8c7df9bab4c0f1da3f65e78b7f544c45131b209b3e58e17ab4697d83c', '5d8ce52d5e1d227e43597a04bbb4214f6c0f63272c76c8cc1fbc0be1143865a3');
INSERT INTO facts VALUES (22, 'pay_000000000000000000000003', '2026-11-20T10:03:00.020Z', '{"fact":"attempt-intended","at":1795168980020,"operation":{"merchantTransactionId":"name-3-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '5d8ce52d5e1d227e43597a04bbb4214f6c0f63272c76c8cc1fbc0be1143865a3', '295f83aa7067afe12457785431507b4e2e0a6e06bbe31f8570a246e32bdeadf2');
INSERT INTO facts VALUES (23, 'pay_000000000000000000000004', '2026-11-20T10:04:00.000Z', '{"fact":"accepted","at":1795169040000,"id":"pay_000000000000000000000004","reference":"R-4","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '295f83aa7067afe12457785431507b4e2e0a6e06bbe31f8570a246e32bdeadf2', 'ec2f149c3f68db04e4ab4f72cb50324b0695bba69666d01e53f2d98d17dc43d1');
INSERT INTO facts VALUES (24, 'pay_000000000000000000000004', '2026-11-20T10:04:00.010Z', '{"fact":"collecting","at":1795169040010}', 'ec2f149c3f68db04e4ab4f72cb50324b0695bba69666d01e53f2d98d17dc43d1', 'aebfdddf73fe4f8a3624b03edcb5440d5a0fc8ad745b61d4e7806f577670edd3');
INSERT INTO facts VALUES (25, 'pay_000000000000000000000004', '2026-11-20T10:04:00.020Z', '{"fact":"card-presented","at":1795169040020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', 'aebfdddf73fe4f8a3624b03edcb5440d5a0fc8ad745b61d4e7806f577670edd3', 'fb4a06d034e4b1a172bd8e262feb4f01a4bf34e1b0de7f922203c0642ba43b2f');
INSERT INTO facts VALUES (26, 'pay_000000000000000000000004', '2026-11-20T10:04:00.020Z', '{"fact":"attempt-intended","at":1795169040020,"operation":{"merchantTransactionId":"name-4-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'fb4a06d034e4b1a172bd8e262feb4f01a4bf34e1b0de7f922203c0642ba43b2f', 'ff2fce9412f95ebbb9518edf2b63aec64b55b4ccc473209961e531a714882856');
INSERT INTO facts VALUES (27, 'pay_000000000000000000000004', '2026-11-20T10:04:00.030Z', '{"fact":"attempt-answered","at":1795169040030,"merchantTransactionId":"name-4-2","answer":{"is":"approved","id":"booking-4","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', 'ff2fce9412f95ebbb9518edf2b63aec64b55b4ccc473209961e531a714882856', '37188ea95c0f8aee764a1fb5342d03cb7ebc4ce49852595c33ece69731382906');
INSERT INTO facts VALUES (28, 'pay_000000000000000000000004', '2026-11-20T10:04:00.030Z', '{"fact":"issuer-told","at":1795169040030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '37188ea95c0f8aee764a1fb5342d03cb7ebc4ce49852595c33ece69731382906', '7508d6a77041f13d3bb453058fffa39cff5d612f26265f34ddbf1a15f96a4267');
INSERT INTO facts VALUES (29, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"card-finished","at":1795169040040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '7508d6a77041f13d3bb453058fffa39cff5d612f26265f34ddbf1a15f96a4267', 'b85f31b3261a5bfc564fa12988e881758b2a7162c4d6490880660211d011acb5');
INSERT INTO facts VALUES (30, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"concluded","at":1795169040040,"outcome":"APPROVED"}', 'b85f31b3261a5bfc564fa12988e881758b2a7162c4d6490880660211d011acb5', 'b27274946f8c858d9921c6dadd3ed0a69798c319d5176ff88341eae52e79171e');
INSERT INTO facts VALUES (31, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"attempt-intended","at":1795169040040,"operation":{"merchantTransactionId":"name-4-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-4"}}', 'b27274946f8c858d9921c6dadd3ed0a69798c319d5176ff88341eae52e79171e', '57db3e6983369c1f129aabf25115e70c72edac9e75cebc09d801f657682ef144');
INSERT INTO facts VALUES (32, 'pay_000000000000000000000005', '2026-11-20T10:05:00.000Z', '{"fact":"accepted","at":1795169100000,"id":"pay_000000000000000000000005","reference":"R-5","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '57db3e6983369c1f129aabf25115e70c72edac9e75cebc09d801f657682ef144', 'dabfd8e433118b2aa79e60b6ca3bd3b22f799b22288d8eaf1daf0891694a831f');
INSERT INTO facts VALUES (33, 'pay_000000000000000000000005', '2026-11-20T10:05:00.010Z', '{"fact":"collecting","at":1795169100010}', 'dabfd8e433118b2aa79e60b6ca3bd3b22f799b22288d8eaf1daf0891694a831f', 'abd1528ca4bc4674e87aa2110e8ed6f959eacdc5442a3d2bd2849dc9462adf47');
INSERT INTO facts VALUES (34, 'pay_000000000000000000000005', '2026-11-20T10:05:00.020Z', '{"fact":"card-presented","at":1795169100020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', 'abd1528ca4bc4674e87aa2110e8ed6f959eacdc5442a3d2bd2849dc9462adf47', 'd5bade2312b764cf46a8f035d720f6693f6745af9652df94ba45ab085999ebfc');
INSERT INTO facts VALUES (35, 'pay_000000000000000000000005', '2026-11-20T10:05:00.020Z', '{"fact":"attempt-intended","at":1795169100020,"operation":{"merchantTransactionId":"name-5-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'd5bade2312b764cf46a8f035d720f6693f6745af9652df94ba45ab085999ebfc', 'e5331660091cee51ebd164ca5fc9919a4fac9d1573a419a406987628a0eb3441');
INSERT INTO facts VALUES (36, 'pay_000000000000000000000005', '2026-11-20T10:05:00.030Z', '{"fact":"attempt-answered","at":1795169100030,"merchantTransactionId":"name-5-2","answer":{"is":"approved","id":"booking-5","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', 'e5331660091cee51ebd164ca5fc9919a4fac9d1573a419a406987628a0eb3441', '86286167591b775e04fe9df14fb9e91a98c786205614ecb0f9ee32bf80295986');
INSERT INTO facts VALUES (37, 'pay_000000000000000000000005', '2026-11-20T10:05:00.030Z', '{"fact":"issuer-told","at":1795169100030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '86286167591b775e04fe9df14fb9e91a98c786205614ecb0f9ee32bf80295986', '3cc809b00e071f6eac8ee14322d605c36425d305317ed3fa95075b2836671ef9');
INSERT INTO facts VALUES (38, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"card-finished","at":1795169100040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '3cc809b00e071f6eac8ee14322d605c36425d305317ed3fa95075b2836671ef9', 'c4e335202849295af722a00baeeccedecaf85c48e31b952e72572b622d398d6b');
INSERT INTO facts VALUES (39, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"concluded","at":1795169100040,"outcome":"APPROVED"}', 'c4e335202849295af722a00baeeccedecaf85c48e31b952e72572b622d398d6b', '134515cf0c9ca4256e26c7ad0c6c3467c870e09ec6a07e8e20212c4f984d3cad');
INSERT INTO facts VALUES (40, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"attempt-intended","at":1795169100040,"operation":{"merchantTransactionId":"name-5-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-5"}}', '134515cf0c9ca4256e26c7ad0c6c3467c870e09ec6a07e8e20212c4f984d3cad', '7f48d84061b927bc1786fb54653a9d213108c8abba212b7c11afa3ac485c29c1');
INSERT INTO facts VALUES (41, 'pay_000000000000000000000006', '2026-11-20T10:06:00.000Z', '{"fact":"accepted","at":1795169160000,"id":"pay_000000000000000000000006","reference":"R-6","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '7f48d84061b927bc1786fb54653a9d213108c8abba212b7c11afa3ac485c29c1', '0f77a4498a04bbfbe5cfb47f336c133a281cabc8fcef853ce6cdbc69544e242f');
INSERT INTO facts VALUES (42, 'pay_000000000000000000000006', '2026-11-20T10:06:00.010Z', '{"fact":"collecting","at":1795169160010}', '0f77a4498a04bbfbe5cfb47f336c133a281cabc8fcef853ce6cdbc69544e242f', '3f488df045194acd3124cf50cfb3006a9582135d0e332ed9346a594a49c4c669');
INSERT INTO facts VALUES (43, 'pay_000000000000000000000006', '2026-11-20T10:06:00.020Z', '{"fact":"card-presented","at":1795169160020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '3f488df045194acd3124cf50cfb3006a9582135d0e332ed9346a594a49c4c669', 'f32d8c431a4abebdbe101e888a6beb2400e6444faabfb467cb78bbadde87755e');
INSERT INTO facts VALUES (44, 'pay_000000000000000000000006', '2026-11-20T10:06:00.020Z', '{"fact":"attempt-intended","at":1795169160020,"operation":{"merchantTransactionId":"name-6-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'f32d8c431a4abebdbe101e888a6beb2400e6444faabfb467cb78bbadde87755e', '42882efdd567552a5df1ee9df5c373c04987285bb20cae97a71325fc1e74afba');
INSERT INTO cursor_key VALUES (1, '6F31BED0E16B50B8CA6C8C60602891EE1366E701BB5AAC9E286E4345DB42F095', '03bd686a5db8541df9dfcf19926752b16e28536c524ae5323d0430000220d466');
INSERT INTO rollbacks VALUES (1, '{"at":"2026-11-20T10:00:00.000Z","last":44,"shown":[{"register":"till","number":50,"at":"2026-11-20T10:00:00.000Z"}],"generation":0}', '{"at":"2026-11-20T10:00:00.000Z","by":"anna","reason":"compared with the gateway","generation":1}', '45e9bfefe1fc1d49f74c2ca0a7aeadb95fe9060dab6496551fb2ae2c6a068c21');
INSERT INTO rollbacks VALUES (2, '{"at":"2026-11-20T10:00:00.000Z","last":44,"shown":[{"register":"till","number":60,"at":"2026-11-20T10:00:00.000Z"}],"generation":1}', null, '0dbe2e93a187ca007625f9392a263168e987eaf0f55f42c3b0b28de3f4c71430');
PRAGMA user_version = 5;
PRAGMA application_id = 1886352226;
COMMIT;
