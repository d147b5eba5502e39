import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'

/** One shop in which every kind of secret is made and used, well and badly, with all of its log kept. */
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const CARD = '4242424242424242'
const PASSWORDS = ['correct horse battery', 'another horse battery', 'a wrong horse battery']
const PANEL_KEY = 'ptla_NeverToBeSeenInAnyLogOfOurs'
const WEBHOOK_SIGNATURE = 't=1,v1=0123456789abcdef0123456789abcdef'

const shop = await gameShop({ log })
const { app, provider } = shop
const admin = await person(app, { admin: true })
const secrets = new Map<string, string>()

/** Everything in an answer that is called like a secret, and the answer. */
function noted(what: string, { status, body, text }: Answer): Answer['body'] {
  assert.ok(status < 300, `${what}: ${status} ${text}`)
  function look(value: unknown, name: string): void {
    if (typeof value === 'object' && value) {
      for (const [key, inner] of Object.entries(value)) {
        look(inner, Number.isNaN(Number(key)) ? key : name)
      }
    } else if (typeof value === 'string' && /token|secret|key$|recoveryCodes/i.test(name)) {
      if (value.length > 9 && !value.includes('•'))
        secrets.set(`${what}: ${name} ${value.slice(0, 9)}`, value)
    }
  }
  look(body, '')
  return body
}

async function useEverything(): Promise<void> {
  const [password = '', next = '', wrong = ''] = PASSWORDS
  const login = { email: 'secretive@example.org', password }
  const made = noted('register', await app.post('/v1/auth/register', { ...login, name: 'Mary' }))
  const mary = app.as(made.accessToken)
  noted('login', await app.post('/v1/auth/login', login))
  await app.post('/v1/auth/login', { ...login, password: wrong })
  noted('refresh', await app.post('/v1/auth/refresh', { refreshToken: made.refreshToken }))
  await app.post('/v1/auth/password/forgot', { email: login.email })
  await app.post('/v1/auth/password/reset', { token: wrong.repeat(2), password: next })
  const { key } = noted('API key', await mary.post('/v1/api-keys', { permission: 'read-write' }))
  await app.as(key).get('/v1/users/me')
  await app.as(`${key}x`).get('/v1/users/me')
  await app.deps.database.execute(
    'update users.users set email_verified_at = created_at where id = $1',
    [made.user.id],
  )
  noted('second factor', await mary.post('/v1/users/me/totp', {}))
  noted(
    'impersonation',
    await admin.post(`/v1/admin/users/${made.user.id}/impersonate`, { reason: 'Asked for help' }),
  )
  const changed = { currentPassword: password, newPassword: next }
  noted('password', await mary.post('/v1/users/me/password', changed))

  const client = { name: 'Forum', redirectUris: ['https://forum.example.org/callback'] }
  const { id } = noted('OIDC client', await admin.post('/v1/admin/oauth-clients', client))
  noted('its new secret', await admin.post(`/v1/admin/oauth-clients/${id}/rotate-secret`))
  const bot = noted(
    'bot',
    await admin.post('/v1/admin/bot-tokens', { name: 'Bot', scopes: ['roles:read'] }),
  )
  await app.as(bot.token).get('/v1/bot/role-mappings')
  const hook = { url: 'https://hooks.example.org/x', events: ['user.registered'] }
  noted('webhook', await admin.post('/v1/admin/webhook-endpoints', hook))
  const daemon = await admin.post(`/v1/admin/nodes/${shop.nodeId}/daemon-token`, {})
  noted('daemon', daemon)
  const node = { name: 'Away', url: 'https://panel.example.org', apiKey: PANEL_KEY }
  const away = await admin.post('/v1/admin/nodes', node)
  await admin.post(`/v1/admin/nodes/${away.body.id}/test`)
  await app.post(`/v1/webhooks/${shop.gatewayId}`, '{}', {
    headers: { 'stripe-signature': WEBHOOK_SIGNATURE },
  })

  const { plan } = await shop.server()
  const ada = await shop.customer()
  await shop.control('faults', { route: 'POST /v1/checkout/sessions', kind: '500-before', n: 1 })
  const placed = await shop.order(ada, plan.id)
  const url = placed.payment?.redirectUrl ?? (await paid(ada, placed))
  await shop.complete(url, { card: CARD })
  const { id: serviceId } = await shop.serviceBecame(ada, 'active')
  const invited = { email: 'friend@example.org', permissions: ['console'] }
  await ada.post(`/v1/services/${serviceId}/invitations`, invited)
  await admin.get('/v1/admin/users?search=secretive')
}

/** Where to pay an order whose page was not made at once. */
function paid(who: Person, placed: Answer['body']): Promise<string> {
  return until('there is a page to pay on', async () => {
    const pay = { gatewayId: shop.gatewayId }
    const { body } = await who.post(`/v1/billing/invoices/${placed.invoice.id}/pay`, pay)
    return body.redirectUrl
  })
}

/** What secrets look like, whoever made them. */
const SHAPES: Record<string, RegExp> = {
  'an access token': /eyJ[\w-]{10,}\.[\w-]{10,}\./,
  'an API key': /moor_[\w-]{40}/,
  'a key of a provider': /sk_(?:test|live)_\w{8}/,
  'the secret of a webhook': /whsec_\w{8}/,
  'a key of a panel': /ptl[ac]_\w{8}/,
  'a hash of a password': /\$argon2|\$2[aby]\$/,
  'a number of a card': /\b4242 ?4242 ?4242 ?4242\b/,
  'a private key': /PRIVATE KEY/,
}

test('whatever secret is made and used, neither log nor audit log has it (hardening 55)', async () => {
  await useEverything()
  await shop.quiet()
  await app.eventually('all of it is in the chain', async () => {
    const { rows } = await app.deps.database.execute('select from audit.pending limit 1')
    return rows.length === 0
  })
  assert.ok(secrets.size >= 12, [...secrets.keys()].join('\n'))
  const known = [
    ...secrets,
    ...PASSWORDS.map((it) => ['a password', it] as const),
    ...Object.entries({ PANEL_KEY, CARD, WEBHOOK_SIGNATURE, provider: provider.secretKey }),
    ['the administrator’s token', admin.token] as const,
  ]
  const { rows } = await app.deps.database.execute(
    `select (select coalesce(string_agg(it::text, ' '), '') from audit.entries it) as entries,
       (select coalesce(string_agg(it::text, ' '), '') from audit.personal it) as personal`,
  )
  const places = { log: lines.join(''), audit: `${rows[0]?.entries} ${rows[0]?.personal}` }
  assert.ok(
    lines.length > 50 && places.audit.length > 1000,
    `${lines.length} lines, ${places.audit.length}`,
  )
  for (const [place, text] of Object.entries(places)) {
    for (const [what, secret] of known) assert.ok(!text.includes(secret), `${what} in the ${place}`)
    for (const [what, shape] of Object.entries(SHAPES)) {
      assert.doesNotMatch(text, shape, `${what} in the ${place}`)
    }
  }
})

test('what people call themselves forges no line of the log (hardening 55)', () => {
  for (const line of lines) {
    assert.ok(line.endsWith('\n') && !line.slice(0, -1).includes('\n'), line)
    JSON.parse(line)
  }
})
