import { Refusal, type Visit } from '../visit.ts'

type Part = { readonly id: string; readonly name: string }
type Texts = Visit['texts']['statusPage']

export type StatusUpdate = {
  readonly id: string
  readonly status: keyof Texts['statuses']
  readonly language: string
  readonly text: string
  readonly createdAt: string
}

type Entry = {
  readonly id: string
  readonly kind: 'incident' | 'maintenance'
  readonly impact: keyof Texts['impacts']
  readonly status: keyof Texts['statuses']
  readonly language: string
  readonly title: string
  readonly locations: readonly Part[]
  readonly products: readonly Part[]
  readonly gameServers: boolean
  readonly startsAt: string
  readonly endsAt: string | null
  readonly endedAt: string | null
  readonly updatedAt: string
}

export type StatusEntry = Entry & { readonly newest: StatusUpdate }
export type StatusIncident = Entry & { readonly updates: readonly StatusUpdate[] }

export type ShopStatus = {
  readonly state: keyof Texts['states']
  readonly ongoing: readonly StatusEntry[]
  readonly planned: readonly StatusEntry[]
}

export type History = { readonly data: readonly StatusEntry[]; readonly nextCursor: string | null }

type Call = Pick<Visit, 'call'>

export function statusOf({ call }: Call): Promise<ShopStatus> {
  return call<ShopStatus>('GET', '/v1/status')
}

/** A page of what is over, the last begun first. */
export function historyOf({ call }: Call, cursor: string | null): Promise<History> {
  const query = new URLSearchParams({ limit: '20', ...(cursor !== null && { cursor }) })
  return call<History>('GET', `/v1/status/history?${query.toString()}`)
}

/** A published incident or maintenance; null for none. */
export async function incidentAt({ call }: Call, id: string): Promise<StatusIncident | null> {
  try {
    return await call<StatusIncident>('GET', `/v1/status/incidents/${id}`)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}
