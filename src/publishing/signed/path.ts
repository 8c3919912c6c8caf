/** Path of the public keys of signed receipts, below the address of the service. The gateway forwards it. */
export const RECEIPT_KEYS_PATH = '/.well-known/receipt-keys.json'
