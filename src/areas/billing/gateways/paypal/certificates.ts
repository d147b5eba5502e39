import { type KeyObject, X509Certificate } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { OutboundError } from '#platform/outbound.ts'
import type { GatewayContext } from '../contract.ts'
import { GatewayError } from '../error.ts'

const PATH = /^\/v1\/notifications\/certs\/[A-Za-z0-9-]{1,100}$/
const TIMEOUT_MS = 10 * SECOND_MS
const MOST_KEPT = 20
/** PayPal has a handful of certificates; messages naming others must not cause endless requests. */
const MOST_ASKED = 10

/** The public keys that PayPal signs its messages with. */
export interface Certificates {
  /** Throws `webhook_rejected` for an address that is not PayPal's, or has no valid certificate. */
  keyAt(context: GatewayContext, url: string): Promise<KeyObject>
}

type Kept = { certificate: X509Certificate }

/**
 * Certificates, cached once they were read. They are PayPal's because of their address: they come
 * over TLS from one of these origins only.
 */
export function certificatesFrom(origins: readonly string[]): Certificates {
  const kept = new Map<string, Kept>()
  let asked: number[] = []

  async function read(context: GatewayContext, url: string): Promise<X509Certificate> {
    const now = Date.now()
    asked = asked.filter((at) => at > now - MINUTE_MS)
    if (asked.length >= MOST_ASKED) throw rejected('Too many certificates were named.')
    asked.push(now)
    const { status, text } = await context
      .request({ url, timeoutMs: TIMEOUT_MS, signal: context.signal })
      .catch((error) => {
        if (!(error instanceof OutboundError)) throw error
        throw new GatewayError('unavailable', 'PayPal: its certificate could not be read.')
      })
    if (status !== 200) throw rejected('There is no such certificate.')
    try {
      return new X509Certificate(text)
    } catch {
      throw rejected('There is no certificate at this address.')
    }
  }

  return {
    async keyAt(context, url) {
      const target = URL.canParse(url) ? new URL(url) : null
      const theirs = target && origins.includes(target.origin) && PATH.test(target.pathname)
      if (!theirs || target.search !== '' || target.username !== '') {
        throw rejected('The certificate is not PayPal’s.')
      }
      const known = kept.get(target.href)?.certificate
      const certificate = known ?? (await read(context, target.href))
      const now = new Date()
      const valid = certificate.validFromDate <= now && now < certificate.validToDate
      if (!valid || certificate.publicKey.asymmetricKeyType !== 'rsa') {
        kept.delete(target.href)
        throw rejected('The certificate is not valid now.')
      }
      const [oldest] = kept.keys()
      if (!known && kept.size >= MOST_KEPT && oldest) kept.delete(oldest)
      kept.set(target.href, { certificate })
      return certificate.publicKey
    },
  }
}

function rejected(message: string): GatewayError {
  return new GatewayError('webhook_rejected', `PayPal: ${message}`)
}
