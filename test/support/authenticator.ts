import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a server asks of a browser, as far as a device looks at it. */
type Asked = {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** How a ceremony goes; what is left out is as it should be. */
type Ceremony = {
  origin?: string
  rpId?: string
  /** Whether the device asked for a finger or a PIN. */
  verified?: boolean
  counter?: number
}

/** A security key made of software: EC P-256, one passkey, no attestation (WebAuthn level 2). */
export type Authenticator = {
  readonly id: string
  /** What `navigator.credentials.create()` would answer. */
  create(asked: Asked, ceremony?: Ceremony): object
  /** What `navigator.credentials.get()` would answer. */
  get(asked: Asked, ceremony?: Ceremony): object
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

/** A device whose browser is on a page of `origin`. */
export function authenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userHandle: string | undefined
  let count = 0

  function dataFor(rpId: string, { verified = true, counter }: Ceremony, key?: Buffer): Buffer {
    count = counter ?? count + 1
    const flags = PRESENT | (verified ? VERIFIED : 0) | (key ? HAS_KEY : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(rpId), head, key ?? Buffer.alloc(0)])
  }

  function around(response: object) {
    const text = id.toString('base64url')
    return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response }
  }

  function clientData(type: string, { challenge }: Asked, at: Ceremony): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: at.origin ?? origin }))
  }

  return {
    id: id.toString('base64url'),
    create(asked, ceremony = {}) {
      userHandle = asked.user?.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = Buffer.concat([Buffer.alloc(16), length, id, coseKey(x, y)])
      const data = dataFor(ceremony.rpId ?? asked.rp?.id ?? '', ceremony, key)
      return around({
        clientDataJSON: clientData('webauthn.create', asked, ceremony).toString('base64url'),
        attestationObject: withoutAttestation(data).toString('base64url'),
        transports: ['internal'],
      })
    },
    get(asked, ceremony = {}) {
      const data = dataFor(ceremony.rpId ?? asked.rpId ?? '', ceremony)
      const client = clientData('webauthn.get', asked, ceremony)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return around({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      })
    },
  }
}

/** A public key as authenticators write it (RFC 9053): EC2, ES256, P-256. */
function coseKey(x: string, y: string): Buffer {
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

/** `{ fmt: 'none', attStmt: {}, authData }` in CBOR. */
function withoutAttestation(data: Buffer): Buffer {
  const length = Buffer.alloc(3)
  length.writeUInt8(0x59)
  length.writeUInt16BE(data.length, 1)
  return Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
    length,
    data,
  ])
}

function sha256(of: string | Buffer): Buffer {
  return createHash('sha256').update(of).digest()
}
