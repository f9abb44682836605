import type { KeptPairing, PairingStore } from "./pairing-store.ts";
import { type JsonShape, shape } from "./shape.ts";

const text: JsonShape = { type: "string" };
const browserPairing = shape<KeptPairing>({
  type: "object",
  properties: {
    bridge: text,
    register: text,
    key: { type: "object", properties: { publicKey: text, privateKey: {} } },
  },
  required: ["key", "bridge", "register"],
});

const DATABASE = "posbridge";
const TABLE = "pairings";

/** In the page's IndexedDB, by name; the private key stays in the browser and cannot be read. */
export function browserPairingStore(name = "bridge"): PairingStore {
  return {
    isExtractable: false,
    read: async () => {
      const kept = browserPairing.safeParse(await inTable<unknown>("readonly", (table) => table.get(name)));
      return kept.success && kept.data.key.privateKey instanceof CryptoKey ? kept.data : undefined;
    },
    keep: async (pairing) => void (await inTable("readwrite", (table) => table.put(pairing, name))),
    clear: async () => void (await inTable("readwrite", (table) => table.delete(name))),
  };
}

async function inTable<T>(mode: IDBTransactionMode, run: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener("upgradeneeded", () => void opening.result.createObjectStore(TABLE));
  const database = await done(opening);
  try {
    const transaction = database.transaction(TABLE, mode);
    const completed = new Promise<void>((resolve, reject) => {
      transaction.addEventListener("complete", () => resolve());
      transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("IndexedDB gave up")));
    });
    const result = await done(run(transaction.objectStore(TABLE)));
    await completed;
    return result;
  } finally {
    database.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed")));
  });
}
