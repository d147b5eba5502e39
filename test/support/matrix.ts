import assert from 'node:assert/strict'
import { botOf } from './bot.ts'
import { type Answer, type Client, clientFor } from './client.ts'
import { apiKey, otherTenant, person } from './people.ts'
import { world } from './world.ts'

/** Whoever has the link may look, so what protects it is that nobody can guess it. */
const BEARER_LINKS = ['/v1/invitations/:token']
/** Outsiders call these under the installation's own address, whichever shop it is about. */
export const REPORTS = [
  ...['/v1/billing/webhooks/:gatewayId', '/v1/billing/return/:attemptId'],
  // Names a provider that all know; what it finishes is sealed in the query.
  '/v1/auth/connections/:provider/callback',
]
/** In a world where all goes well there is none; `src/platform/jobs.test.ts` has those of two shops. */
const WITHOUT_OBJECT = ['/v1/admin/jobs/:id']

/** What stands in paths and is no id. */
export const WORDS: Readonly<Record<string, string>> = {
  ...{ ':days': '7', ':locale': 'en', ':number': '1' },
}

/** Everybody who might call, one object for each id of a path, and the routes they are tried on. */
export async function matrix() {
  const there = await world()
  const { app, owner, admin, objects } = there
  const foreignTenant = await otherTenant(app, 'other.test')
  const foreigner = await person(app, { tenantId: foreignTenant, admin: true })
  const stranger = await person(app)
  // Staff who act as the owner of everything.
  const staff = await person(app, { admin: true })
  const begun = await staff.post(`/v1/admin/users/${owner.userId}/impersonate`, {
    reason: 'Asked for help',
  })
  const thirdTenant = await otherTenant(app, 'third.test')

  const routes = app.routes.filter(
    ({ method, config }) => method !== 'HEAD' && method !== 'OPTIONS' && !config.hidden,
  )
  type Route = (typeof routes)[number]

  function objectAt(prefix: string): string {
    const word = WORDS[prefix.split('/').at(-1) ?? '']
    if (word !== undefined) return word
    if ([...WITHOUT_OBJECT, ...REPORTS].includes(prefix))
      return '01900000-0000-7000-8000-000000000000'
    const id = objects.get(prefix)
    assert.ok(id, `There is no object for ${prefix}: add one to test/support/world.ts`)
    return id
  }

  function pathOf(url: string): string {
    const seen: string[] = []
    const parts = url.split('/').map((part) => {
      seen.push(part)
      return part.startsWith(':') ? encodeURIComponent(objectAt(seen.join('/'))) : part
    })
    return parts.join('/')
  }

  const clerks = new Map<string, Client>()

  return {
    ...there,
    ...{ routes, pathOf, stranger, foreigner },
    guarded: routes.filter(({ config }) => config.access !== 'public'),
    named: routes.filter(({ url }) => url.includes(':')),
    strangersKey: await apiKey(app, stranger, { permission: 'read-write' }),
    /** Of a third tenant, who has asked for nothing: what they see, they were shown. */
    bystander: await person(app, { tenantId: thirdTenant, admin: true }),
    impersonator: app.as(begun.body.accessToken),
    foreignBot: await botOf(app, foreigner),
    readKeys: {
      admin: await apiKey(app, admin, { permission: 'read' }),
      user: await apiKey(app, owner, { permission: 'read' }),
    },
    /** Calls a route about the owner's object, with a body that asks for nothing. */
    async send(client: Client, { method, url }: Route): Promise<Answer> {
      const answer = await client.request(method, pathOf(url), method === 'GET' ? undefined : {})
      // A cookie would be sent along by whatever page calls: only those of OpenID Connect have one.
      const isTheirs = url.startsWith('/v1/oidc/')
      assert.ok(isTheirs || !answer.headers['set-cookie'], `${method} ${url} sets a cookie`)
      return answer
    },
    /** An administrator who holds this permission and no other. */
    async clerk(permission: string): Promise<Client> {
      const known = clerks.get(permission) ?? (await person(app, { permissions: [permission] }))
      clerks.set(permission, known)
      return known
    },
    /** A client at another shop's host, with these headers. */
    elsewhere: (headers: Record<string, string> = {}) =>
      clientFor(app.url, { host: 'other.test', ...headers }),
    hasNoObject: ({ url }: Route) => WITHOUT_OBJECT.some((it) => url.startsWith(it)),
    isLink: ({ url }: Route) => BEARER_LINKS.some((link) => url.startsWith(link)),
    /** Whether a route's object is one person's; a coupon is there for everybody. */
    isOfOnePerson({ url, config }: Route): boolean {
      const isOpen = BEARER_LINKS.some((link) => url.startsWith(link))
      const named = url.includes(':') && !isOpen && !url.startsWith('/v1/cart/coupons')
      return config.access === 'user' && named
    },
    /** Fails where a text shows anything of the owner. */
    assertNothingShown({ text }: Answer, where: string): void {
      // A provider's name is nobody's object, a coupon's code is typed by who asks, and all customers of a shop choose
      // from its departments.
      const known = ['discord', objects.get('/v1/cart/coupons/:code')]
      known.push(objects.get('/v1/admin/departments/:id'))
      // Every shop sends the same kinds of mail.
      known.push(objects.get('/v1/admin/mail-templates/:kind'))
      const own = new Set(objects.values().filter((it) => !known.includes(it)))
      for (const it of [...own, owner.email, owner.userId]) {
        assert.ok(!text.includes(it), `${where} shows ${it}: ${text}`)
      }
    },
  }
}
