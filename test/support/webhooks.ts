import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from 'pino'
import { areas } from '#app/areas.ts'
import type { Config } from '#platform/config.ts'
import { transact } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { userRegistered } from '#users'
import { type TestApp, testApp, until } from './app.ts'
import type { Client } from './client.ts'
import { apiKey, person } from './people.ts'
import { type Received, type Receiver, receiver } from './receiver.ts'

export const ENDPOINTS = '/v1/admin/webhook-endpoints'

/** A shop with a receiver it may send to. */
export type HookShop = {
  readonly app: TestApp
  /** Somebody who may do everything, by a key that no clock ends. */
  readonly admin: Client & { readonly userId: string }
  readonly target: Receiver
  /** Adds an endpoint at a path of the receiver; answers it with its secret. */
  endpoint(path: string, fields?: object): Promise<{ id: string; secret: string; url: string }>
  /** A test in which no endpoint of another one is left. */
  alone(title: string, work: () => Promise<void>): void
  /** Something happens to a person, as the area that knows announces it; answers who. */
  happens(userId?: string): Promise<string>
  /** Waits until so many requests came to a path. */
  arrived(path: string, count: number): Promise<Received[]>
  /** The deliveries of an endpoint, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails if they differ
  deliveries(endpointId: string, query?: string): Promise<any[]>
  /** The one delivery of an endpoint once it is as wanted. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  delivery(endpointId: string, wanted: (delivery: any) => boolean): Promise<any>
}

/** Starts a shop whose operator has opened the receiver. */
export async function hookShop(config: Partial<Config> = {}, log?: Logger): Promise<HookShop> {
  const target = await receiver(null)
  const app = await testApp(null, {
    config: { privateHosts: [target.place, `hooks.test/${target.place}`], ...config },
    ...(log && { log }),
    // What else happens when the clock moves is no matter here, and takes its time.
    areas: areas.map((it) => (it.name === 'webhooks' ? it : { ...it, jobs: [] })),
  })
  const { userId } = await person(app, { admin: true })
  const key = await apiKey(app, { tenantId: app.tenantId, userId }, { permission: 'read-write' })
  const admin = { ...key, userId }
  const { tenantId } = app

  async function deliveries(endpointId: string, query = '') {
    const { status, body, text } = await admin.get(`${ENDPOINTS}/${endpointId}/deliveries${query}`)
    assert.equal(status, 200, text)
    return body.data
  }

  return {
    ...{ app, admin, target, deliveries },
    async endpoint(path, fields = {}) {
      const { status, body, text } = await admin.post(ENDPOINTS, {
        ...{ url: `${target.url}${path}`, events: ['user.registered'], ...fields },
      })
      assert.equal(status, 201, text)
      return body
    },
    alone(title, work) {
      test(title, async () => {
        await app.deps.database.execute(
          'update webhooks.endpoints set deleted_at = now() where deleted_at is null',
        )
        await work()
      })
    },
    async happens(known) {
      const who = known ?? (await person(app)).userId
      await happened(app, { tenantId, userId: who })
      return who
    },
    arrived: (path, count) =>
      until(`${count} requests to ${path}`, () => {
        const there = target.at(path)
        return there.length >= count && there
      }),
    delivery: (endpointId, wanted) =>
      until('the delivery is as wanted', async () => {
        const [first] = await deliveries(endpointId)
        return first && wanted(first) && first
      }),
  }
}

/** Announces that somebody registered. */
export async function happened(
  { deps }: Pick<TestApp, 'deps'>,
  user: { tenantId: string; userId: string },
): Promise<void> {
  const facts = { ...user, referralCode: null, visitorToken: null }
  await transact(deps.database.of(user.tenantId), (tx) => emit(tx, userRegistered, facts))
}
