import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A key, and a certificate for it that nobody but itself has signed. */
export type SelfSigned = { readonly pem: string; readonly privateKey: KeyObject }

const RSA_BITS = 2048
const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_ID = 0x06
const UTF8 = 0x0c
const TIME = 0x18
// sha256WithRSAEncryption and commonName.
const ALGORITHM = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'))

/** An X.509 certificate (DER, RFC 5280) that is valid between two times. */
export function selfSigned(name: string, { from, to }: { from: Date; to: Date }): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  const subject = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, Buffer.concat([COMMON_NAME, der(UTF8, Buffer.from(name))]))),
  )
  const body = der(
    SEQUENCE,
    Buffer.concat([
      der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      ...[ALGORITHM, subject],
      der(SEQUENCE, Buffer.concat([timeOf(from), timeOf(to)])),
      ...[subject, publicKey.export({ type: 'spki', format: 'der' })],
    ]),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('RSA-SHA256', body, privateKey)])
  const whole = der(SEQUENCE, Buffer.concat([body, ALGORITHM, der(BIT_STRING, signature)]))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { pem, privateKey }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

function timeOf(at: Date): Buffer {
  const text = at.toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return der(TIME, Buffer.from(`${text}Z`))
}
