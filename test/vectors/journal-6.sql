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
CREATE INDEX payments_of_register ON payments (register, created_at, payment);
INSERT INTO stamp VALUES (1, 'brg_b6042d76ec6ad138978f4262', 'test', '2026-11-24T02:34:06.717Z', randomblob(49152));
INSERT INTO payments VALUES ('pay_000000000000000000000001', 'till', 'R-1', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:01:00.000Z', 9, '16b34bddc2eb98b9c2a6d5fd396414b345e7947dfb5ad70c10863deb779b3c38');
INSERT INTO payments VALUES ('pay_000000000000000000000002', 'till', 'R-2', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:02:00.000Z', 18, '681cb9c9e5d982d29f437c23442ea10547fccc6b30a33e388f521768d8db8ce5');
INSERT INTO payments VALUES ('pay_000000000000000000000003', 'till', 'R-3', 'till-1', null, 'SALE', 'EUR', 1234, 'AUTHORIZING', null, 1, '2026-11-20T10:03:00.000Z', 22, '8de8fcb46ac943720cd2200527cfe5ef77997f6cb19a5860b1aa69a83ef2c2f9');
INSERT INTO payments VALUES ('pay_000000000000000000000004', 'till', 'R-4', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:04:00.000Z', 31, 'd0de6e75959a18f8f270fba8cfc0a946a0d8e2aba42b293956e41fe5eb9dc7ea');
INSERT INTO payments VALUES ('pay_000000000000000000000005', 'till', 'R-5', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:05:00.000Z', 40, 'df702fce5d7d0047a6013d0c95fe853ed31580d3369ff6733c99b386523c323c');
INSERT INTO payments VALUES ('pay_000000000000000000000006', 'till', 'R-6', 'till-1', null, 'SALE', 'EUR', 1234, 'AUTHORIZING', null, 1, '2026-11-20T10:06:00.000Z', 44, 'ec7f7efc19113c24ada18624796d96b3bfc99110b34b9e75ea316d427873c017');
INSERT INTO facts VALUES (1, 'pay_000000000000000000000001', '2026-11-20T10:01:00.000Z', '{"fact":"accepted","at":1795168860000,"id":"pay_000000000000000000000001","reference":"R-1","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', 'ae1b77dbab2f92fce2ac5c4cca90b3fa8e3ef167f485dcae22f62a569aaf929c', '73719557c9d7baab5799ca40d342da7f327922071eeea4f1b4ff896d31563a37');
INSERT INTO facts VALUES (2, 'pay_000000000000000000000001', '2026-11-20T10:01:00.010Z', '{"fact":"collecting","at":1795168860010}', '73719557c9d7baab5799ca40d342da7f327922071eeea4f1b4ff896d31563a37', '11e93839ff188b116f1d4f0f2660e98b542c3566f64f42df86811a89337a6ab6');
INSERT INTO facts VALUES (3, 'pay_000000000000000000000001', '2026-11-20T10:01:00.020Z', '{"fact":"card-presented","at":1795168860020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '11e93839ff188b116f1d4f0f2660e98b542c3566f64f42df86811a89337a6ab6', '4786cd637749cd1fdb4f104edab838f2a60938a600aa978aeca9234520a3e9e9');
INSERT INTO facts VALUES (4, 'pay_000000000000000000000001', '2026-11-20T10:01:00.020Z', '{"fact":"attempt-intended","at":1795168860020,"operation":{"merchantTransactionId":"name-1-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '4786cd637749cd1fdb4f104edab838f2a60938a600aa978aeca9234520a3e9e9', '19ad9f2922fad48d7e556f7a911067f99f6e17691aa974f99f909b119f948e97');
INSERT INTO facts VALUES (5, 'pay_000000000000000000000001', '2026-11-20T10:01:00.030Z', '{"fact":"attempt-answered","at":1795168860030,"merchantTransactionId":"name-1-2","answer":{"is":"approved","id":"booking-1","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', '19ad9f2922fad48d7e556f7a911067f99f6e17691aa974f99f909b119f948e97', '2bb1f5c1cfddc761b24d0571687cf71a4695a61878d0f3d02135e1f995bfedb9');
INSERT INTO facts VALUES (6, 'pay_000000000000000000000001', '2026-11-20T10:01:00.030Z', '{"fact":"issuer-told","at":1795168860030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '2bb1f5c1cfddc761b24d0571687cf71a4695a61878d0f3d02135e1f995bfedb9', '8db533149671920b0c8423ff38118b06853ae5dc9277461af91d1759a1f8b7c7');
INSERT INTO facts VALUES (7, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"card-finished","at":1795168860040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '8db533149671920b0c8423ff38118b06853ae5dc9277461af91d1759a1f8b7c7', '749c728c9744b86f9d7b804c2ad5c912b8a106793427c2b256eb535c1db37fbf');
INSERT INTO facts VALUES (8, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"concluded","at":1795168860040,"outcome":"APPROVED"}', '749c728c9744b86f9d7b804c2ad5c912b8a106793427c2b256eb535c1db37fbf', '3fa3d0cf969bd618e61ecdb3dfed2227850f5ae5e60afe362d79563d0f0ccbb7');
INSERT INTO facts VALUES (9, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"attempt-intended","at":1795168860040,"operation":{"merchantTransactionId":"name-1-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-1"}}', '3fa3d0cf969bd618e61ecdb3dfed2227850f5ae5e60afe362d79563d0f0ccbb7', '9f02a160c9b3575c4c1e6520c6242cb1072b0eae4a1e9897be899b60ddf6f110');
INSERT INTO facts VALUES (10, 'pay_000000000000000000000002', '2026-11-20T10:02:00.000Z', '{"fact":"accepted","at":1795168920000,"id":"pay_000000000000000000000002","reference":"R-2","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '9f02a160c9b3575c4c1e6520c6242cb1072b0eae4a1e9897be899b60ddf6f110', 'c4cabcf694527b1a0fca85b10a6c175ad99c1c9a97b31f2f424be3f5ab5cd6d7');
INSERT INTO facts VALUES (11, 'pay_000000000000000000000002', '2026-11-20T10:02:00.010Z', '{"fact":"collecting","at":1795168920010}', 'c4cabcf694527b1a0fca85b10a6c175ad99c1c9a97b31f2f424be3f5ab5cd6d7', '35a3d987693399601514f48f459248bcebdbcf48db4bd31cfd82ff8bd5df9732');
INSERT INTO facts VALUES (12, 'pay_000000000000000000000002', '2026-11-20T10:02:00.020Z', '{"fact":"card-presented","at":1795168920020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '35a3d987693399601514f48f459248bcebdbcf48db4bd31cfd82ff8bd5df9732', '3b2df165b5233470ca878d9d469108c3a3a2d67f524e953f86e03582b85d2372');
INSERT INTO facts VALUES (13, 'pay_000000000000000000000002', '2026-11-20T10:02:00.020Z', '{"fact":"attempt-intended","at":1795168920020,"operation":{"merchantTransactionId":"name-2-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '3b2df165b5233470ca878d9d469108c3a3a2d67f524e953f86e03582b85d2372', '8b72c41f643408dfcf5b56cb19b6e26330c73a80893823b0b35c14c97bf4e3bc');
INSERT INTO facts VALUES (14, 'pay_000000000000000000000002', '2026-11-20T10:02:00.030Z', '{"fact":"attempt-answered","at":1795168920030,"merchantTransactionId":"name-2-2","answer":{"is":"approved","id":"booking-2","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', '8b72c41f643408dfcf5b56cb19b6e26330c73a80893823b0b35c14c97bf4e3bc', '4fc228462ee51eed6f56e8411af8dd06ef80983a841c6713ac19049f4d9e3d32');
INSERT INTO facts VALUES (15, 'pay_000000000000000000000002', '2026-11-20T10:02:00.030Z', '{"fact":"issuer-told","at":1795168920030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '4fc228462ee51eed6f56e8411af8dd06ef80983a841c6713ac19049f4d9e3d32', '05e0dbfd210610ea45898ccdbc5f9ed3d9afecb60cb3e4d45aa54255cb575d7f');
INSERT INTO facts VALUES (16, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"card-finished","at":1795168920040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '05e0dbfd210610ea45898ccdbc5f9ed3d9afecb60cb3e4d45aa54255cb575d7f', '7d98122ef7ed41f199263899cd54411d895028af615e7169727786079d311de7');
INSERT INTO facts VALUES (17, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"concluded","at":1795168920040,"outcome":"APPROVED"}', '7d98122ef7ed41f199263899cd54411d895028af615e7169727786079d311de7', '3e166a0a15afcf1a3539c66e3776c883bde79329553b569ba39b50ea369d7e21');
INSERT INTO facts VALUES (18, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"attempt-intended","at":1795168920040,"operation":{"merchantTransactionId":"name-2-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-2"}}', '3e166a0a15afcf1a3539c66e3776c883bde79329553b569ba39b50ea369d7e21', '07b751aff1c1f4c8bd7be073eb36003b0559cc4832e67a258ffaff9125e13184');
INSERT INTO facts VALUES (19, 'pay_000000000000000000000003', '2026-11-20T10:03:00.000Z', '{"fact":"accepted","at":1795168980000,"id":"pay_000000000000000000000003","reference":"R-3","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '07b751aff1c1f4c8bd7be073eb36003b0559cc4832e67a258ffaff9125e13184', 'e0f2f5ae955de00133a48d32f87992a4f0f97a93ecab9e66f709d0f9411e30eb');
INSERT INTO facts VALUES (20, 'pay_000000000000000000000003', '2026-11-20T10:03:00.010Z', '{"fact":"collecting","at":1795168980010}', 'e0f2f5ae955de00133a48d32f87992a4f0f97a93ecab9e66f709d0f9411e30eb', '324dc148cbab34ae20c848c2034e93e1d878eb9e546b5c67ac82779455dcef8c');
INSERT INTO facts VALUES (21, 'pay_000000000000000000000003', '2026-11-20T10:03:00.020Z', '{"fact":"card-presented","at":1795168980020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '324dc148cbab34ae20c848c2034e93e1d878eb9e546b5c67ac82779455dcef8c', '393ad91d79376f85ba163a4dcdbe533189383c71c9456e5000af946f595a68e5');
INSERT INTO facts VALUES (22, 'pay_000000000000000000000003', '2026-11-20T10:03:00.020Z', '{"fact":"attempt-intended","at":1795168980020,"operation":{"merchantTransactionId":"name-3-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '393ad91d79376f85ba163a4dcdbe533189383c71c9456e5000af946f595a68e5', '3ac94c7afdfedfcf731dddd9f240cdb628b1addfb486ecb635bc310951f41d81');
INSERT INTO facts VALUES (23, 'pay_000000000000000000000004', '2026-11-20T10:04:00.000Z', '{"fact":"accepted","at":1795169040000,"id":"pay_000000000000000000000004","reference":"R-4","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '3ac94c7afdfedfcf731dddd9f240cdb628b1addfb486ecb635bc310951f41d81', 'f08247669e6f4b32121844593643d2f9b53145be960594d7b3fae46b145828a4');
INSERT INTO facts VALUES (24, 'pay_000000000000000000000004', '2026-11-20T10:04:00.010Z', '{"fact":"collecting","at":1795169040010}', 'f08247669e6f4b32121844593643d2f9b53145be960594d7b3fae46b145828a4', '60900fb5f0a891feb7206bff4f63ef9cd5ed11604db9335d5746485c0b728ea1');
INSERT INTO facts VALUES (25, 'pay_000000000000000000000004', '2026-11-20T10:04:00.020Z', '{"fact":"card-presented","at":1795169040020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '60900fb5f0a891feb7206bff4f63ef9cd5ed11604db9335d5746485c0b728ea1', 'c4918dddad402846f3a6443aaa85be266d9f0da3c08bc9cfb06381cbbf016743');
INSERT INTO facts VALUES (26, 'pay_000000000000000000000004', '2026-11-20T10:04:00.020Z', '{"fact":"attempt-intended","at":1795169040020,"operation":{"merchantTransactionId":"name-4-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'c4918dddad402846f3a6443aaa85be266d9f0da3c08bc9cfb06381cbbf016743', 'f88bf898ef6a5414b8095f7e10911ba82d67f0ebdcfe16902396532ead6374ea');
INSERT INTO facts VALUES (27, 'pay_000000000000000000000004', '2026-11-20T10:04:00.030Z', '{"fact":"attempt-answered","at":1795169040030,"merchantTransactionId":"name-4-2","answer":{"is":"approved","id":"booking-4","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', 'f88bf898ef6a5414b8095f7e10911ba82d67f0ebdcfe16902396532ead6374ea', '9c84b457b5befc878bfb75ff692a8fd0e7d77cec1393a951c976557f4b9690d4');
INSERT INTO facts VALUES (28, 'pay_000000000000000000000004', '2026-11-20T10:04:00.030Z', '{"fact":"issuer-told","at":1795169040030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', '9c84b457b5befc878bfb75ff692a8fd0e7d77cec1393a951c976557f4b9690d4', 'd622ebfd00db3b9747f7936731690ecda8aad22fc01ff5cbbbc320c3bc6c575f');
INSERT INTO facts VALUES (29, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"card-finished","at":1795169040040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', 'd622ebfd00db3b9747f7936731690ecda8aad22fc01ff5cbbbc320c3bc6c575f', '9c639aa6b230718fc53b4f46a240f57856aaa88c26925aa6a7f6145f1868d2b6');
INSERT INTO facts VALUES (30, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"concluded","at":1795169040040,"outcome":"APPROVED"}', '9c639aa6b230718fc53b4f46a240f57856aaa88c26925aa6a7f6145f1868d2b6', '3477329b6a45111d4ea625def760f9009516fb894d780e585e27769fba0b5f3e');
INSERT INTO facts VALUES (31, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"attempt-intended","at":1795169040040,"operation":{"merchantTransactionId":"name-4-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-4"}}', '3477329b6a45111d4ea625def760f9009516fb894d780e585e27769fba0b5f3e', '4bae1c58577d29ff479b8e6caa3c56ed34476c914f77fe81612f3521e428decf');
INSERT INTO facts VALUES (32, 'pay_000000000000000000000005', '2026-11-20T10:05:00.000Z', '{"fact":"accepted","at":1795169100000,"id":"pay_000000000000000000000005","reference":"R-5","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '4bae1c58577d29ff479b8e6caa3c56ed34476c914f77fe81612f3521e428decf', '4ce08f7599d5cb949fd15f03938e9eaf35d8e80420bfec0ce0788986a87f43f6');
INSERT INTO facts VALUES (33, 'pay_000000000000000000000005', '2026-11-20T10:05:00.010Z', '{"fact":"collecting","at":1795169100010}', '4ce08f7599d5cb949fd15f03938e9eaf35d8e80420bfec0ce0788986a87f43f6', '13e10072b058cc6af1f6c98c63a4ac9dd4d8ada4d98ac863db058c34dc48cbde');
INSERT INTO facts VALUES (34, 'pay_000000000000000000000005', '2026-11-20T10:05:00.020Z', '{"fact":"card-presented","at":1795169100020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '13e10072b058cc6af1f6c98c63a4ac9dd4d8ada4d98ac863db058c34dc48cbde', '69b29555359e7c954732982bcacd714f52112ebb5cbdddd8d73f62169240bb20');
INSERT INTO facts VALUES (35, 'pay_000000000000000000000005', '2026-11-20T10:05:00.020Z', '{"fact":"attempt-intended","at":1795169100020,"operation":{"merchantTransactionId":"name-5-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '69b29555359e7c954732982bcacd714f52112ebb5cbdddd8d73f62169240bb20', 'f038adb403e395b78cd62ef0a4d17315adb5ac407cd4792197bf93ddf31e4eaf');
INSERT INTO facts VALUES (36, 'pay_000000000000000000000005', '2026-11-20T10:05:00.030Z', '{"fact":"attempt-answered","at":1795169100030,"merchantTransactionId":"name-5-2","answer":{"is":"approved","id":"booking-5","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', 'f038adb403e395b78cd62ef0a4d17315adb5ac407cd4792197bf93ddf31e4eaf', 'a42065dbcb2d9f0da5698f50fd180d2fce645039b861da62798e1a17d6c1e4ff');
INSERT INTO facts VALUES (37, 'pay_000000000000000000000005', '2026-11-20T10:05:00.030Z', '{"fact":"issuer-told","at":1795169100030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', 'a42065dbcb2d9f0da5698f50fd180d2fce645039b861da62798e1a17d6c1e4ff', '6169965b61e038e1fe7dc297c4fddacd042b9e61badd047d921c1eae00cd0329');
INSERT INTO facts VALUES (38, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"card-finished","at":1795169100040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '6169965b61e038e1fe7dc297c4fddacd042b9e61badd047d921c1eae00cd0329', 'bc30034d80e7c84370c088a0a77996404c7a6170e2979bfc3f423189433299fa');
INSERT INTO facts VALUES (39, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"concluded","at":1795169100040,"outcome":"APPROVED"}', 'bc30034d80e7c84370c088a0a77996404c7a6170e2979bfc3f423189433299fa', '57143d662d5b45093f67491fef1b6f7c618f2b64d7c9b80c239afa7df4058fb2');
INSERT INTO facts VALUES (40, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"attempt-intended","at":1795169100040,"operation":{"merchantTransactionId":"name-5-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-5"}}', '57143d662d5b45093f67491fef1b6f7c618f2b64d7c9b80c239afa7df4058fb2', '1764c63b6c7c228b890da7d04da9a8a6fd47235e6d84d2e00a1ec9eaf076ecce');
INSERT INTO facts VALUES (41, 'pay_000000000000000000000006', '2026-11-20T10:06:00.000Z', '{"fact":"accepted","at":1795169160000,"id":"pay_000000000000000000000006","reference":"R-6","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '1764c63b6c7c228b890da7d04da9a8a6fd47235e6d84d2e00a1ec9eaf076ecce', '2e6f7318ab74b5a6357f698ca8212c2ab533a346b3d9058e0268b0f06a67f68e');
INSERT INTO facts VALUES (42, 'pay_000000000000000000000006', '2026-11-20T10:06:00.010Z', '{"fact":"collecting","at":1795169160010}', '2e6f7318ab74b5a6357f698ca8212c2ab533a346b3d9058e0268b0f06a67f68e', '617f054371307697a9b42f796684a890dbe691ce717d481d7eba5dba8cbc070a');
INSERT INTO facts VALUES (43, 'pay_000000000000000000000006', '2026-11-20T10:06:00.020Z', '{"fact":"card-presented","at":1795169160020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '617f054371307697a9b42f796684a890dbe691ce717d481d7eba5dba8cbc070a', 'f117dd56e82322308106d7bdc9714b35f9579399c8e10bae37235c202d9870c6');
INSERT INTO facts VALUES (44, 'pay_000000000000000000000006', '2026-11-20T10:06:00.020Z', '{"fact":"attempt-intended","at":1795169160020,"operation":{"merchantTransactionId":"name-6-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'f117dd56e82322308106d7bdc9714b35f9579399c8e10bae37235c202d9870c6', 'f50142e1e529f0c13eee75f6d406038e90dc4ea66ae753385baa53a9d5f03b72');
INSERT INTO cursor_key VALUES (1, '2B50CE8916C50F06170B7286BBC9DA984F05F2EA42BB43EF41BAC83BB6000835', '61861ccc0ddc9003f496d83e801a0106c79e09c4b10fd9c2f28f83c7b296686c');
INSERT INTO rollbacks VALUES (1, '{"at":"2026-11-20T10:00:00.000Z","last":44,"shown":[{"register":"till","number":50,"at":"2026-11-20T10:00:00.000Z"}],"generation":0}', '{"at":"2026-11-20T10:00:00.000Z","by":"anna","reason":"compared with the gateway","generation":1}', '6d3cf4aa9e8238431ec3fc00586c61416a37ddd665d563d5dcd8301d57c24c97');
INSERT INTO rollbacks VALUES (2, '{"at":"2026-11-20T10:00:00.000Z","last":44,"shown":[{"register":"till","number":60,"at":"2026-11-20T10:00:00.000Z"}],"generation":1}', null, '704533840a4372c616e42d70b107a40e8dd37b4124abe87a1f1b58ba5babec4f');
PRAGMA user_version = 6;
PRAGMA application_id = 1886352226;
COMMIT;
