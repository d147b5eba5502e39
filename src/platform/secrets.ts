import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Secrets that must be readable again, encrypted with the installation's key. */
export type Secrets = {
  /** Encrypts with AES-256-GCM; opens only with the same `boundTo` (the row to which it belongs). */
  seal(plain: string, boundTo: string): string
  /** Throws if the text was changed or moved to another row, or if its key is missing. */
  open(sealed: string, boundTo: string): string
  /** The id of the key that seals: every text that it sealed begins with this and a dot. */
  readonly keyId: string
  /** The ids of all keys that open, in the same format. */
  readonly keyIds: readonly string[]
  /** A separate key for a purpose, for each generation of the installation's key; current first. */
  keysFor(purpose: string): readonly { readonly id: string; readonly key: Buffer }[]
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Creates the installation's secrets from its keys (32 bytes each, the current one first). */
export function secretsOf(keys: readonly Buffer[]): Secrets {
  const generations = keys.map((key) => ({
    id: keyId(key),
    key,
    sealing: createSecretKey(derive(key, 'seal')),
  }))
  const [current] = generations
  if (!current) throw new Error('No secret key')
  return {
    keyId: current.id,
    keyIds: generations.map(({ id }) => id),
    seal(plain, boundTo) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.sealing, nonce)
      cipher.setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      const text = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
      return `${current.id}.${text}`
    },
    open(sealed, boundTo) {
      const [id, text = ''] = sealed.split('.')
      const generation = generations.find((it) => it.id === id)
      if (!generation) throw new Error(`The key ${id} that sealed this is not configured`)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        generation.sealing,
        bytes.subarray(0, NONCE_BYTES),
        { authTagLength: TAG_BYTES },
      )
      decipher.setAAD(Buffer.from(boundTo))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
    keysFor(purpose) {
      return generations.map(({ id, key }) => ({ id, key: derive(key, purpose) }))
    },
  }
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('moorage key id').update(key).digest('hex').slice(0, 8)
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `moorage ${purpose}`, 32))
}

/** A random token with 256 bits: `prefix` + 43 URL-safe characters. */
export function randomToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** The SHA-256 of a token with enough entropy: the database stores only this. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Compares in constant time, so that the duration does not reveal the first difference. */
export function sameBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

/** HMAC-SHA256, URL-safe. */
export function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
