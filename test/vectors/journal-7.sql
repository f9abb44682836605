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
  , facts INTEGER) STRICT, WITHOUT ROWID;
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
CREATE TABLE checkpoint (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    open TEXT NOT NULL,
    sequence_number INTEGER NOT NULL,
    proved_at TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
INSERT INTO stamp VALUES (1, 'brg_9928b21eb4791160e7971b46', 'test', '2026-11-29T01:20:15.416Z', randomblob(49152));
INSERT INTO payments VALUES ('pay_000000000000000000000001', 'till', 'R-1', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:01:00.000Z', 9, 'ec84c48fc4f7f1ca9fe7ba4bdbd8eee5cd23b05e7b19e1fb31d7b633bd575840', 9);
INSERT INTO payments VALUES ('pay_000000000000000000000002', 'till', 'R-2', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:02:00.000Z', 18, 'dbf9a20ba137b856b245920f2b7d7918dcf32e5be7912f340b88b95b156031cd', 9);
INSERT INTO payments VALUES ('pay_000000000000000000000003', 'till', 'R-3', 'till-1', null, 'SALE', 'EUR', 1234, 'AUTHORIZING', null, 1, '2026-11-20T10:03:00.000Z', 22, 'cb2a7c3fc57c0b92bff31337a693f18e74e0037e7a0973c0e6e9617e9e33f804', 4);
INSERT INTO payments VALUES ('pay_000000000000000000000004', 'till', 'R-4', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:04:00.000Z', 31, '525a42035e0f7b87d19cb61bd6d824c7bf6ccbf6b89d37ca825d06e102866580', 9);
INSERT INTO payments VALUES ('pay_000000000000000000000005', 'till', 'R-5', 'till-1', null, 'SALE', 'EUR', 1234, 'FINAL', 'APPROVED', 1, '2026-11-20T10:05:00.000Z', 40, '5e75af5a46d2228e617bc3725c1450136859143e931ee3dcb143afef6f08742b', 9);
INSERT INTO payments VALUES ('pay_000000000000000000000006', 'till', 'R-6', 'till-1', null, 'SALE', 'EUR', 1234, 'AUTHORIZING', null, 1, '2026-11-20T10:06:00.000Z', 44, '1dc2cc046e27fa985f58c7d3612b6e269f73fc73e1d98a1a204da0379b7ed0f6', 4);
INSERT INTO facts VALUES (1, 'pay_000000000000000000000001', '2026-11-20T10:01:00.000Z', '{"fact":"accepted","at":1795168860000,"id":"pay_000000000000000000000001","reference":"R-1","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '13877ef7e827fdfe716a06e2cadd283b7e79f63f52f70ce6763f772094faab95', 'f3102bd9800cdb1d10a24ead33d2afdf49cbf025b70f888ba9cf9f6b7aadb5e6');
INSERT INTO facts VALUES (2, 'pay_000000000000000000000001', '2026-11-20T10:01:00.010Z', '{"fact":"collecting","at":1795168860010}', 'f3102bd9800cdb1d10a24ead33d2afdf49cbf025b70f888ba9cf9f6b7aadb5e6', '451c56305d82ad289ff73e2609a39bc36a18135167d7121cf36e23118f083aec');
INSERT INTO facts VALUES (3, 'pay_000000000000000000000001', '2026-11-20T10:01:00.020Z', '{"fact":"card-presented","at":1795168860020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '451c56305d82ad289ff73e2609a39bc36a18135167d7121cf36e23118f083aec', 'd0bc2ef19c23f6ae382284183c202bac91426f4adcf8bf05b4687e2dfe16636d');
INSERT INTO facts VALUES (4, 'pay_000000000000000000000001', '2026-11-20T10:01:00.020Z', '{"fact":"attempt-intended","at":1795168860020,"operation":{"merchantTransactionId":"name-1-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'd0bc2ef19c23f6ae382284183c202bac91426f4adcf8bf05b4687e2dfe16636d', '74a0062243399c8bc80aba547fd2a01ead702efeb01fc43f0a0e473bdc4ff8cb');
INSERT INTO facts VALUES (5, 'pay_000000000000000000000001', '2026-11-20T10:01:00.030Z', '{"fact":"attempt-answered","at":1795168860030,"merchantTransactionId":"name-1-2","answer":{"is":"approved","id":"booking-1","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', '74a0062243399c8bc80aba547fd2a01ead702efeb01fc43f0a0e473bdc4ff8cb', 'd5671d8cd24af07aa639c233d8ecdc16370b36354288960627e97a6baffc6f5c');
INSERT INTO facts VALUES (6, 'pay_000000000000000000000001', '2026-11-20T10:01:00.030Z', '{"fact":"issuer-told","at":1795168860030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', 'd5671d8cd24af07aa639c233d8ecdc16370b36354288960627e97a6baffc6f5c', '43fe02edb48ecedd1f514d7e71c554b898d6ed862842266949a2455a4c9b16ad');
INSERT INTO facts VALUES (7, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"card-finished","at":1795168860040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '43fe02edb48ecedd1f514d7e71c554b898d6ed862842266949a2455a4c9b16ad', '8827713af4adcf6316396f3d6c6f2de662105d62d7a68caa15c38fc53da7f57a');
INSERT INTO facts VALUES (8, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"concluded","at":1795168860040,"outcome":"APPROVED"}', '8827713af4adcf6316396f3d6c6f2de662105d62d7a68caa15c38fc53da7f57a', '3e70a85df28f0fe1abe4deb23732bb9ba059129d009cb31011fc95d57871f103');
INSERT INTO facts VALUES (9, 'pay_000000000000000000000001', '2026-11-20T10:01:00.040Z', '{"fact":"attempt-intended","at":1795168860040,"operation":{"merchantTransactionId":"name-1-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-1"}}', '3e70a85df28f0fe1abe4deb23732bb9ba059129d009cb31011fc95d57871f103', 'dc08384156e35b901a4b8e36d087b81028b499f206847d2afacf90918abfdaa8');
INSERT INTO facts VALUES (10, 'pay_000000000000000000000002', '2026-11-20T10:02:00.000Z', '{"fact":"accepted","at":1795168920000,"id":"pay_000000000000000000000002","reference":"R-2","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', 'dc08384156e35b901a4b8e36d087b81028b499f206847d2afacf90918abfdaa8', '3a46299efc42ba25a8e3391c3598e456b8f53d47004eca6f62be18cf4f61c094');
INSERT INTO facts VALUES (11, 'pay_000000000000000000000002', '2026-11-20T10:02:00.010Z', '{"fact":"collecting","at":1795168920010}', '3a46299efc42ba25a8e3391c3598e456b8f53d47004eca6f62be18cf4f61c094', '3c42409d38dcff57210218951e2e86c66f84e6089b8bf3a1d334196d13f832d8');
INSERT INTO facts VALUES (12, 'pay_000000000000000000000002', '2026-11-20T10:02:00.020Z', '{"fact":"card-presented","at":1795168920020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '3c42409d38dcff57210218951e2e86c66f84e6089b8bf3a1d334196d13f832d8', 'a8435c7a63f6407938a18835f0be8142d5b6ceeb357453318f8aac1e4e81e75d');
INSERT INTO facts VALUES (13, 'pay_000000000000000000000002', '2026-11-20T10:02:00.020Z', '{"fact":"attempt-intended","at":1795168920020,"operation":{"merchantTransactionId":"name-2-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', 'a8435c7a63f6407938a18835f0be8142d5b6ceeb357453318f8aac1e4e81e75d', '4df2749e6147d90baf76a5891e00751675b16b9a7c88317375ff8b3ab9121304');
INSERT INTO facts VALUES (14, 'pay_000000000000000000000002', '2026-11-20T10:02:00.030Z', '{"fact":"attempt-answered","at":1795168920030,"merchantTransactionId":"name-2-2","answer":{"is":"approved","id":"booking-2","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', '4df2749e6147d90baf76a5891e00751675b16b9a7c88317375ff8b3ab9121304', 'd3498cf7edd41c6554cd76ffad2f096584cde4f33fa742e2306113fa01863b8a');
INSERT INTO facts VALUES (15, 'pay_000000000000000000000002', '2026-11-20T10:02:00.030Z', '{"fact":"issuer-told","at":1795168920030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', 'd3498cf7edd41c6554cd76ffad2f096584cde4f33fa742e2306113fa01863b8a', '088dfdfadbe669301d88d1069fdaabeef862ea201015497efbbacc6ad15839a9');
INSERT INTO facts VALUES (16, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"card-finished","at":1795168920040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '088dfdfadbe669301d88d1069fdaabeef862ea201015497efbbacc6ad15839a9', '362cde82b8f2ca9ae78187480cd78e195c5292261efe81190acecffda46fc5f1');
INSERT INTO facts VALUES (17, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"concluded","at":1795168920040,"outcome":"APPROVED"}', '362cde82b8f2ca9ae78187480cd78e195c5292261efe81190acecffda46fc5f1', '08821223000a1efc5cc027f8ff42cdbe5dbff9daeba22a31d367b1ed7df023d8');
INSERT INTO facts VALUES (18, 'pay_000000000000000000000002', '2026-11-20T10:02:00.040Z', '{"fact":"attempt-intended","at":1795168920040,"operation":{"merchantTransactionId":"name-2-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-2"}}', '08821223000a1efc5cc027f8ff42cdbe5dbff9daeba22a31d367b1ed7df023d8', '364c04dda8b60d165e1d6bec79a1ce44cab964a1cf6d12fd3a3a62dc5f83aec4');
INSERT INTO facts VALUES (19, 'pay_000000000000000000000003', '2026-11-20T10:03:00.000Z', '{"fact":"accepted","at":1795168980000,"id":"pay_000000000000000000000003","reference":"R-3","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '364c04dda8b60d165e1d6bec79a1ce44cab964a1cf6d12fd3a3a62dc5f83aec4', 'bed4a9e2e90a892ed9f393ade792a4fba56fa54de8b750142aaa9095c71f2444');
INSERT INTO facts VALUES (20, 'pay_000000000000000000000003', '2026-11-20T10:03:00.010Z', '{"fact":"collecting","at":1795168980010}', 'bed4a9e2e90a892ed9f393ade792a4fba56fa54de8b750142aaa9095c71f2444', '17c652fc8a089877855788ee2892120f15dcced2b1b36bf674528c0d539d2590');
INSERT INTO facts VALUES (21, 'pay_000000000000000000000003', '2026-11-20T10:03:00.020Z', '{"fact":"card-presented","at":1795168980020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '17c652fc8a089877855788ee2892120f15dcced2b1b36bf674528c0d539d2590', '3ea40ca2b61ded2c5d7bc4865ce420c2c59cc8e88ea94442dce79a18e119aeea');
INSERT INTO facts VALUES (22, 'pay_000000000000000000000003', '2026-11-20T10:03:00.020Z', '{"fact":"attempt-intended","at":1795168980020,"operation":{"merchantTransactionId":"name-3-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '3ea40ca2b61ded2c5d7bc4865ce420c2c59cc8e88ea94442dce79a18e119aeea', 'c9d6568bb1af8c71224bbd92d871437e8a9b07bf4458543cdf37d36c3631d333');
INSERT INTO facts VALUES (23, 'pay_000000000000000000000004', '2026-11-20T10:04:00.000Z', '{"fact":"accepted","at":1795169040000,"id":"pay_000000000000000000000004","reference":"R-4","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', 'c9d6568bb1af8c71224bbd92d871437e8a9b07bf4458543cdf37d36c3631d333', '15266f3a293a3fa52066ea264f79a29542d828d4be5447f46a63d2f46a811d59');
INSERT INTO facts VALUES (24, 'pay_000000000000000000000004', '2026-11-20T10:04:00.010Z', '{"fact":"collecting","at":1795169040010}', '15266f3a293a3fa52066ea264f79a29542d828d4be5447f46a63d2f46a811d59', '4e244702c91b1b6abf16068e1ff00f11838b84fb91a1692047ad6f229890f25c');
INSERT INTO facts VALUES (25, 'pay_000000000000000000000004', '2026-11-20T10:04:00.020Z', '{"fact":"card-presented","at":1795169040020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '4e244702c91b1b6abf16068e1ff00f11838b84fb91a1692047ad6f229890f25c', '5903c9c19a137b40e21ac5ca6505a8dad70cfe3dabf21a607499aef19ce4eb28');
INSERT INTO facts VALUES (26, 'pay_000000000000000000000004', '2026-11-20T10:04:00.020Z', '{"fact":"attempt-intended","at":1795169040020,"operation":{"merchantTransactionId":"name-4-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '5903c9c19a137b40e21ac5ca6505a8dad70cfe3dabf21a607499aef19ce4eb28', '248bc9407d10c669754739af46b9737b2667a1708cd03b489df7b9c0719975e3');
INSERT INTO facts VALUES (27, 'pay_000000000000000000000004', '2026-11-20T10:04:00.030Z', '{"fact":"attempt-answered","at":1795169040030,"merchantTransactionId":"name-4-2","answer":{"is":"approved","id":"booking-4","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', '248bc9407d10c669754739af46b9737b2667a1708cd03b489df7b9c0719975e3', 'acc7a9c506e9837dfab3cf510634e58743ce9b51d5433487f1749d922abb140c');
INSERT INTO facts VALUES (28, 'pay_000000000000000000000004', '2026-11-20T10:04:00.030Z', '{"fact":"issuer-told","at":1795169040030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', 'acc7a9c506e9837dfab3cf510634e58743ce9b51d5433487f1749d922abb140c', '280b663e3633713391abc189a54ea8e3685b3e839f0ca58900f1d8df82f14b87');
INSERT INTO facts VALUES (29, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"card-finished","at":1795169040040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '280b663e3633713391abc189a54ea8e3685b3e839f0ca58900f1d8df82f14b87', 'bffc5cccdcd015b22ca12aefce1b8cd746218431e86d32e85a508aaad6ae6900');
INSERT INTO facts VALUES (30, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"concluded","at":1795169040040,"outcome":"APPROVED"}', 'bffc5cccdcd015b22ca12aefce1b8cd746218431e86d32e85a508aaad6ae6900', 'f5e019451546879783aa0a3ec3c638e15dbfc9b5856bd544debf12240d4228e8');
INSERT INTO facts VALUES (31, 'pay_000000000000000000000004', '2026-11-20T10:04:00.040Z', '{"fact":"attempt-intended","at":1795169040040,"operation":{"merchantTransactionId":"name-4-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-4"}}', 'f5e019451546879783aa0a3ec3c638e15dbfc9b5856bd544debf12240d4228e8', 'ebbe42b30d35718ce7ccd2877c5c7056004a57333742fdea1820274864c04df6');
INSERT INTO facts VALUES (32, 'pay_000000000000000000000005', '2026-11-20T10:05:00.000Z', '{"fact":"accepted","at":1795169100000,"id":"pay_000000000000000000000005","reference":"R-5","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', 'ebbe42b30d35718ce7ccd2877c5c7056004a57333742fdea1820274864c04df6', '3371197195d456df1f007a46256f82eada3477b45887d87823ddb53392b79b97');
INSERT INTO facts VALUES (33, 'pay_000000000000000000000005', '2026-11-20T10:05:00.010Z', '{"fact":"collecting","at":1795169100010}', '3371197195d456df1f007a46256f82eada3477b45887d87823ddb53392b79b97', '9246cef4fa450e77da8d77eaf8adcf3f03baae19588987f6c34cba609746f3d1');
INSERT INTO facts VALUES (34, 'pay_000000000000000000000005', '2026-11-20T10:05:00.020Z', '{"fact":"card-presented","at":1795169100020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', '9246cef4fa450e77da8d77eaf8adcf3f03baae19588987f6c34cba609746f3d1', '2a01d57be941c92a9bb0d16b7d949d3b6558551d7e5ee6b5a3f5406b252d62dd');
INSERT INTO facts VALUES (35, 'pay_000000000000000000000005', '2026-11-20T10:05:00.020Z', '{"fact":"attempt-intended","at":1795169100020,"operation":{"merchantTransactionId":"name-5-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '2a01d57be941c92a9bb0d16b7d949d3b6558551d7e5ee6b5a3f5406b252d62dd', 'b05b50c51197979eeea0bf77076a7a14e7c3b396c12c03d64a8f34109ffef20f');
INSERT INTO facts VALUES (36, 'pay_000000000000000000000005', '2026-11-20T10:05:00.030Z', '{"fact":"attempt-answered","at":1795169100030,"merchantTransactionId":"name-5-2","answer":{"is":"approved","id":"booking-5","resultCode":"000.100.110","description":"approved","amount":1234,"currency":"EUR","review":false,"issuer":{"iccDataResponse":"8A023030910A11223344556677883030","approvalCode":"123456","responseCode":"00"}}}', 'b05b50c51197979eeea0bf77076a7a14e7c3b396c12c03d64a8f34109ffef20f', 'c4f0006a0e474859aa6ecca6c0061c98df9a3a7a156182aa726bc19c6c01f59b');
INSERT INTO facts VALUES (37, 'pay_000000000000000000000005', '2026-11-20T10:05:00.030Z', '{"fact":"issuer-told","at":1795169100030,"issuer":{"verdict":"approved","arc":"3030","authentication":"11223344556677883030","scripts":[]}}', 'c4f0006a0e474859aa6ecca6c0061c98df9a3a7a156182aa726bc19c6c01f59b', '5383a3a63154c717bf467814f8b063c2671e7b6ccaadc493036f19af2d70a13e');
INSERT INTO facts VALUES (38, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"card-finished","at":1795169100040,"verdict":"approved","chip":{"cryptogram":"1122334455667788","cryptogramType":"TC"}}', '5383a3a63154c717bf467814f8b063c2671e7b6ccaadc493036f19af2d70a13e', '4a4a711d671ebd9abe55278624a5ef31e5832b074b700c4ca6c454b28f63a7f6');
INSERT INTO facts VALUES (39, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"concluded","at":1795169100040,"outcome":"APPROVED"}', '4a4a711d671ebd9abe55278624a5ef31e5832b074b700c4ca6c454b28f63a7f6', '05b603a2dd4f2046ab3a636f523835c24f7d6cd8e595c3ffaf43eb7f5c8372b2');
INSERT INTO facts VALUES (40, 'pay_000000000000000000000005', '2026-11-20T10:05:00.040Z', '{"fact":"attempt-intended","at":1795169100040,"operation":{"merchantTransactionId":"name-5-4","sequenceNumber":4,"paymentType":"CP","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca","referencedId":"booking-5"}}', '05b603a2dd4f2046ab3a636f523835c24f7d6cd8e595c3ffaf43eb7f5c8372b2', '9f6ffb0fe37d85716ecb0e86882ff80902e484e1fefb4e742c3e735b61e75dc5');
INSERT INTO facts VALUES (41, 'pay_000000000000000000000006', '2026-11-20T10:06:00.000Z', '{"fact":"accepted","at":1795169160000,"id":"pay_000000000000000000000006","reference":"R-6","register":"till","type":"SALE","terminal":"till-1","amount":1234,"currency":"EUR","allowPartialApproval":true,"parameters":{},"fingerprint":"f","channel":{"environment":"test","entityId":"8a8294174b7ecb28014b9699220015ca","settlement":"dual"},"device":{"terminalId":"12345678","pinEntry":true},"rules":{"cardMs":60000,"pinMs":60000,"hostAnswerMs":45000,"hostWaitMs":60000,"unknownWindowMs":1800000}}', '9f6ffb0fe37d85716ecb0e86882ff80902e484e1fefb4e742c3e735b61e75dc5', '46a203b0678258bd72b14ad2f0764a57e20be36a29c9c0807d41286318e94102');
INSERT INTO facts VALUES (42, 'pay_000000000000000000000006', '2026-11-20T10:06:00.010Z', '{"fact":"collecting","at":1795169160010}', '46a203b0678258bd72b14ad2f0764a57e20be36a29c9c0807d41286318e94102', 'ed99d6e51f2ef3ee2625b9c6fd78e9332b96be70b3960028c21eaa1a15d2af1b');
INSERT INTO facts VALUES (43, 'pay_000000000000000000000006', '2026-11-20T10:06:00.020Z', '{"fact":"card-presented","at":1795169160020,"card":{"entryMode":"ICC","decision":"online","brand":"VISA","bin":"476134","last4":"0050","icc":"9F2608AABBCCDDEEFF0011","chip":{"aid":"A0000000031010","cryptogram":"AABBCCDDEEFF0011","cryptogramType":"ARQC","cvm":"online-pin"},"pinEntered":true}}', 'ed99d6e51f2ef3ee2625b9c6fd78e9332b96be70b3960028c21eaa1a15d2af1b', '18c4897429aaf51cc0cd04266a67f7c4881e1266730fbc37a5e3732d1de510d3');
INSERT INTO facts VALUES (44, 'pay_000000000000000000000006', '2026-11-20T10:06:00.020Z', '{"fact":"attempt-intended","at":1795169160020,"operation":{"merchantTransactionId":"name-6-2","sequenceNumber":2,"paymentType":"PA","amount":1234,"currency":"EUR","entityId":"8a8294174b7ecb28014b9699220015ca"}}', '18c4897429aaf51cc0cd04266a67f7c4881e1266730fbc37a5e3732d1de510d3', '55d56b48cf4f381352ec4a0884e8546a1b08fc13f94ce5164c53bff5e7beee17');
INSERT INTO cursor_key VALUES (1, 'A3E55D51A4ED90B1F5630006B2B0EA0ABE8824564F216AC52A6E60796019DF09', '2af4ba01e81dc19e102e180b3139e5314b52071704d9e7e6ca0926777cc1e366');
INSERT INTO rollbacks VALUES (1, '{"at":"2026-11-20T10:00:00.000Z","last":44,"shown":[{"register":"till","number":50,"at":"2026-11-20T10:00:00.000Z"}],"generation":0}', '{"at":"2026-11-20T10:00:00.000Z","by":"anna","reason":"compared with the gateway","generation":1}', '2e7fc072412a4b57699fe78f7b18050466fc70636240ca982724b59a5d8598a9');
INSERT INTO rollbacks VALUES (2, '{"at":"2026-11-20T10:00:00.000Z","last":44,"shown":[{"register":"till","number":60,"at":"2026-11-20T10:00:00.000Z"}],"generation":1}', null, '2819685f56893d00aca60aec5336a054fe3f4ae965bc3bdcc23e279a9e3aeb73');
INSERT INTO checkpoint VALUES (1, 44, '55d56b48cf4f381352ec4a0884e8546a1b08fc13f94ce5164c53bff5e7beee17', '[["pay_000000000000000000000001","ec84c48fc4f7f1ca9fe7ba4bdbd8eee5cd23b05e7b19e1fb31d7b633bd575840"],["pay_000000000000000000000002","dbf9a20ba137b856b245920f2b7d7918dcf32e5be7912f340b88b95b156031cd"],["pay_000000000000000000000003","cb2a7c3fc57c0b92bff31337a693f18e74e0037e7a0973c0e6e9617e9e33f804"],["pay_000000000000000000000004","525a42035e0f7b87d19cb61bd6d824c7bf6ccbf6b89d37ca825d06e102866580"],["pay_000000000000000000000005","5e75af5a46d2228e617bc3725c1450136859143e931ee3dcb143afef6f08742b"],["pay_000000000000000000000006","1dc2cc046e27fa985f58c7d3612b6e269f73fc73e1d98a1a204da0379b7ed0f6"]]', 4, '2026-11-29T01:20:15.508Z', 'cebffa51e1f67d8ea98ed7965e86e441acb47ba100804cb0a8eae950c7c90428');
PRAGMA user_version = 7;
PRAGMA application_id = 1886352226;
COMMIT;
