import { once } from 'node:events'
import { createConnection, isIP, type Socket } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'
import { isMailPort } from './addresses.ts'
import { OutboundError } from './outbound-error.ts'

/** The host name or IP address of a mail server, and its port. */
export type MailPlace = { readonly host: string; readonly port: number }

/**
 * Opens a TCP connection to a mail server, within `timeoutMs` for name lookup and connection. It connects to
 * the addresses that were checked and to no others. Throws `OutboundError`.
 */
export async function openMail(
  policy: AddressPolicy,
  { host, port }: MailPlace,
  timeoutMs: number,
): Promise<Socket> {
  const signal = AbortSignal.timeout(timeoutMs)
  const addresses = await Promise.race([
    policy.addressesOf({ host, port }, isMailPort),
    late(signal),
  ])
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const socket = createConnection({
    ...{ host, port, autoSelectFamily: true },
    lookup: (_host, _options, done) => done(null, found),
  })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    if (signal.aborted) throw tooLate()
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new OutboundError('connect', `No connection to ${host}:${port}${reason}.`, false, error)
  }
}

async function late(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw tooLate()
}

function tooLate(): OutboundError {
  return new OutboundError('timeout', 'The mail server did not answer in time.', false)
}
