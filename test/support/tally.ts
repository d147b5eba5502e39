import type { Answer, Client } from './client.ts'
import { controlsOf, type SandboxAt } from './sandbox.ts'

type Body = Answer['body']

/** How many of each thing there are, at whoever is sure to know. */
export type Tally = {
  /** Hosted pages the provider made. */
  sessions: number
  /** Charges that succeeded there. */
  charges: number
  /** Different invoice numbers. */
  numbers: number
  /** Servers on the panel. */
  servers: number
  /** Services that are active. */
  active: number
}

/** Who is asked. */
export type Witnesses = {
  admin: Client
  provider: { url: string; secretKey: string }
  panel: SandboxAt
}

/** Counts everything a purchase makes, up to a hundred of each. */
export async function tallyOf({ admin, provider, panel }: Witnesses): Promise<Tally> {
  async function atProvider(list: string): Promise<Body[]> {
    const headers = { authorization: `Bearer ${provider.secretKey}` }
    const response = await fetch(`${provider.url}/v1/${list}?limit=100`, { headers })
    return ((await response.json()) as Body).data
  }
  async function here(list: string): Promise<Body[]> {
    return (await admin.get(`/v1/admin/${list}?limit=100`)).body.data
  }
  const [sessions, charges] = [await atProvider('checkout/sessions'), await atProvider('charges')]
  const { servers } = await controlsOf(panel).get<{ servers: Body[] }>('servers')
  const [invoices, services] = [await here('invoices'), await here('services')]
  return {
    sessions: sessions.length,
    charges: charges.filter((it) => it.status === 'succeeded').length,
    numbers: new Set(invoices.map((it) => it.number).filter(Boolean)).size,
    servers: servers.length,
    active: services.filter((it) => it.status === 'active').length,
  }
}

/** What has come since. */
export function since(before: Tally, now: Tally): Tally {
  return {
    sessions: now.sessions - before.sessions,
    charges: now.charges - before.charges,
    numbers: now.numbers - before.numbers,
    servers: now.servers - before.servers,
    active: now.active - before.active,
  }
}

/** What one purchase makes, whatever happens on the way. */
export const ONE_PURCHASE: Tally = { sessions: 1, charges: 1, numbers: 1, servers: 1, active: 1 }
