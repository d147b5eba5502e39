import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { payTokenOf } from '#notifications'
import { json, transact } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { userRegistered, userUnsuspended } from '#users'
import { renewOne } from '../../src/areas/services/renewals/batches.ts'
import { enrolPasskey } from './accounts.ts'
import { until } from './app.ts'
import { camtStatement } from './bank-files.ts'
import { type Bot, botOf, GUILD, linkDiscord } from './bot.ts'
import type { Answer } from './client.ts'
import { endedImport, uploadDump } from './dumps.ts'
import { type GameShop, type GameShopOptions, gameShop } from './game-shop.ts'
import { pngOf } from './images.ts'
import { type Person, person } from './people.ts'
import { answers, type Receiver, receiver } from './receiver.ts'
import { Browser, givePassword, register, relyingParty, signInFor } from './relying-party.ts'
import { uploaded } from './uploads.ts'
import { codesIn, voucherBatch } from './vouchers.ts'

type Body = Answer['body']

/** One object of every kind a route can name, all of one owner in one tenant. */
export type World = GameShop & {
  readonly owner: Person
  /** The object of each path up to its parameter: `/v1/services/:id`. */
  readonly objects: ReadonlyMap<string, string>
  /** The token of a daemon of the shop's panel, and of one of another connection. */
  readonly daemons: { readonly own: string; readonly other: string }
  /** A bot of the shop that may do everything bots may, and the owner's account where they chat. */
  readonly bot: Bot
  readonly discordId: string
}

/** Makes a tenant with one of everything: through the routes, as its people would. */
export async function world(options: GameShopOptions = {}): Promise<World> {
  const hooks = await receiver(null)
  const privateHosts = [...(options.config?.privateHosts ?? []), hooks.place]
  const shop = await gameShop({ ...options, config: { ...options.config, privateHosts } })
  const { app, admin, catalog } = shop
  const owner = await person(app, { country: 'FR' })
  const objects = new Map<string, string>()

  async function made(client: Person, path: string, body: object, prefix?: string): Promise<Body> {
    const answer = await client.post(path, body)
    assert.equal(answer.status, 201, `${path}: ${answer.text}`)
    if (prefix) objects.set(prefix, answer.body.id)
    return answer.body
  }

  const category = await catalog.category()
  const taxRate = await catalog.taxRate()
  const coupon = await catalog.coupon()
  const { product, plan } = await shop.server({ categoryId: category.id })
  objects.set('/v1/admin/categories/:id', category.id)
  objects.set('/v1/admin/tax-rates/:id', taxRate.id)
  objects.set('/v1/admin/coupons/:id', coupon.id)
  objects.set('/v1/admin/products/:id', product.id)
  objects.set('/v1/admin/plans/:planId', plan.id)
  objects.set('/v1/store/products/:id', product.id)
  objects.set('/v1/store/categories/:idOrSlug', category.id)
  objects.set('/v1/store/products/:idOrSlug', product.id)
  objects.set('/v1/cart/coupons/:code', coupon.code)
  const picture = { image: pngOf().toString('base64') }
  const shown = await admin.put(`/v1/admin/products/${product.id}/image`, picture)
  objects.set('/v1/store/images/:id', shown.body.url.split('/').at(-1))
  const pictures = ['shop/logo', 'shop/dark-logo', 'shop/favicon']
  for (const path of [`categories/${category.id}/image`, ...pictures]) {
    assert.equal((await admin.put(`/v1/admin/${path}`, picture)).status, 200, path)
  }
  objects.set('/v1/admin/nodes/:id', shop.nodeId)
  objects.set('/v1/admin/eggs/:id', shop.eggId)
  const places = [{ nodeId: shop.nodeId, remoteId: '1' }]
  const location = { name: 'Frankfurt', country: 'DE', places }
  await made(admin, '/v1/admin/locations', location, '/v1/admin/locations/:id')
  const groups = '/v1/admin/option-groups'
  const { id: groupId } = await made(admin, groups, { name: 'Upgrades' }, `${groups}/:id`)
  const backups = {
    ...{ groupId, key: 'backups', kind: 'select', name: 'Backups' },
    values: [{ key: 'a', label: 'A' }],
  }
  await made(admin, '/v1/admin/options', backups, '/v1/admin/options/:id')
  objects.set('/v1/admin/gateways/:id', shop.gatewayId)

  await recommend(shop, owner)
  objects.set('/v1/admin/tasks/:id', await byHand(shop))
  const deliveryId = await bySystem(shop, hooks)
  objects.set('/v1/admin/deliveries/:id', deliveryId)
  objects.set('/v1/deliveries/:id', deliveryId)
  const placed = await buyAndRefund(shop, owner, plan.id)
  objects.set('/v1/services/:id', placed.service.id)
  objects.set('/v1/admin/services/:id', placed.service.id)
  objects.set('/v1/services/:id/options/scheduled/:key', 'memory')
  objects.set('/v1/billing/orders/:id', placed.order.id)
  const daemons = await daemonsOf(shop, objects)
  objects.set('/v1/panel/api/remote/servers/:uuid', await serverOf(shop, placed.service.id))
  objects.set('/v1/panel/api/remote/backups/:uuid', randomUUID())
  objects.set('/v1/admin/orders/:id', placed.order.id)
  objects.set('/v1/billing/invoices/:id', placed.invoice.id)
  objects.set('/v1/billing/payments/:id', placed.payment.id)
  objects.set('/v1/admin/invoices/:id', placed.invoice.id)
  objects.set('/v1/admin/payment-attempts/:id', placed.payment.id)
  const paid = await admin.get(`/v1/admin/payments?invoiceId=${placed.invoice.id}`)
  objects.set('/v1/admin/payments/:id', paid.body.data[0].id)
  objects.set('/v1/billing/credit-notes/:id', placed.creditNote.id)
  objects.set('/v1/admin/credit-notes/:id', placed.creditNote.id)
  objects.set('/v1/billing/payment-methods/:id', placed.method.id)
  objects.set('/v1/admin/refunds/:id', placed.refund.id)
  objects.set('/v1/admin/disputes/:id', await inquire(shop, placed.invoice.id))
  objects.set('/v1/admin/breaks/:id', await differ(shop))
  const entry = await transferred(shop)
  objects.set('/v1/admin/bank-entries/:id', entry.id)
  objects.set('/v1/admin/bank-statements/:id', entry.statementId)

  const importId = await turnedDown(shop)
  objects.set('/v1/admin/imports/:id', importId)
  objects.set('/v1/admin/imported-payments/:id', await paidBefore(shop, owner, importId))

  const commission = await until('the commission', async () => {
    const { body } = await admin.get('/v1/admin/commissions')
    return body.data[0]
  })
  objects.set('/v1/admin/commissions/:id', commission.id)
  objects.set('/v1/admin/affiliates/:id', commission.affiliateId)
  const rate = { type: 'percent', percentBasisPoints: 500 }
  const rated = await admin.put(`/v1/admin/commission-rates/${product.id}`, rate)
  assert.equal(rated.status, 200, rated.text)
  objects.set('/v1/admin/commission-rates/:productId', product.id)

  objects.set('/v1/services/:id/members/:userId', owner.userId)
  objects.set('/v1/admin/services/:id/members/:userId', owner.userId)
  const invitations = `/v1/services/${placed.service.id}/invitations`
  const invitation = await made(owner, invitations, { email: 'friend@example.org' })
  objects.set('/v1/services/:id/invitations/:invitationId', invitation.id)
  objects.set('/v1/invitations/:token', invitation.token)
  const payToken = payTokenOf(app.deps.secrets, placed.invoice.id)
  objects.set('/v1/billing/payment-links/:token', payToken)
  const { body: link } = await owner.get(`/v1/billing/invoices/${placed.invoice.id}/link`)
  objects.set('/v1/billing/documents/:token', new URL(link.url).pathname.split('/').at(-1) ?? '')

  const { bot, discordId } = await chat(shop, owner, objects)

  const cart = await made(owner, '/v1/cart/items', { planId: plan.id })
  objects.set('/v1/cart/items/:id', cart.items[0].id)
  const key = { permission: 'read', name: 'Key' }
  await made(owner, '/v1/api-keys', key, '/v1/api-keys/:id')
  const [notification] = (await owner.get('/v1/notifications')).body.data
  objects.set('/v1/notifications/:id', notification.id)
  objects.set('/v1/users/me/sessions/:id', owner.sessionId)
  objects.set('/v1/users/me/connections/:provider', 'discord')
  objects.set('/v1/admin/users/:id', owner.userId)
  const notes = '/v1/admin/users/:id/notes'
  await made(admin, notes.replace(':id', owner.userId), { text: 'Calls' }, `${notes}/:noteId`)
  const view = { screen: 'customers', name: 'All', query: '', hiddenColumns: [] }
  await made(admin, '/v1/admin/views', view, '/v1/admin/views/:id')
  const noted = `/v1/admin/services/${placed.service.id}/notes`
  const { id: notedId } = await made(admin, noted, { text: 'Heavy' })
  objects.set('/v1/admin/services/:id/notes/:noteId', notedId)
  const attachmentIds = [await uploaded(owner, pngOf(), 'lag.png')]
  const help = { subject: 'Lag', body: 'It lags', serviceId: placed.service.id, attachmentIds }
  const ticket = await made(owner, '/v1/tickets', help, '/v1/tickets/:id')
  objects.set('/v1/admin/tickets/:id', ticket.id)
  objects.set('/v1/admin/departments/:id', ticket.department.id)
  const [attachmentId = ''] = attachmentIds
  for (const path of ['/v1/tickets', '/v1/admin/tickets']) {
    objects.set(`${path}/:id/attachments/:attachmentId`, attachmentId)
  }
  const files = `/v1/tickets/${ticket.id}/attachments/${attachmentId}/link`
  const { body: opens } = await owner.get(files)
  objects.set('/v1/support/files/:token', new URL(opens.url).pathname.split('/').at(-1) ?? '')
  const hello = { name: 'Hello', texts: { en: 'Hello {{customer.firstName}}' }, shared: true }
  await made(admin, '/v1/admin/saved-replies', hello, '/v1/admin/saved-replies/:id')
  const batch = await voucherBatch(admin, { count: 2 })
  objects.set('/v1/admin/vouchers/batches/:id', batch.id)
  const codes = await admin.post(`/v1/admin/vouchers/batches/${batch.id}/download`)
  const [code] = codesIn(codes)
  const redeemed = await owner.post('/v1/billing/vouchers/redeem', { code })
  assert.equal(redeemed.status, 200, redeemed.text)
  const { body: issued } = await admin.get(`/v1/admin/vouchers?batchId=${batch.id}&state=active`)
  objects.set('/v1/admin/vouchers/:id', issued.data[0].id)
  const { id: categoryId } = await made(admin, '/v1/admin/article-categories', {
    names: { en: 'Connecting' },
  })
  objects.set('/v1/admin/article-categories/:id', categoryId)
  objects.set('/v1/knowledge/categories/:idOrSlug', categoryId)
  const article = await made(admin, '/v1/admin/articles', { categoryId })
  const writing = `/v1/admin/articles/${article.id}/texts/en`
  const draft = await admin.put(writing, { title: 'How to connect', text: 'Open the game.' })
  const { revision } = draft.body
  assert.equal((await admin.post(`${writing}/publish`, { revision })).status, 200)
  objects.set('/v1/admin/articles/:id', article.id)
  objects.set('/v1/knowledge/articles/:id', article.id)
  objects.set('/v1/knowledge/articles/:idOrSlug', article.id)
  const helped = await owner.post(`/v1/knowledge/articles/${article.id}/feedback`, {
    ...{ language: 'en', helpful: true },
  })
  assert.equal(helped.status, 200, helped.text)
  const incident = await made(admin, '/v1/admin/incidents', {
    ...{ kind: 'incident', impact: 'minor', titles: { en: 'Slow panel' } },
  })
  const publishing = `/v1/admin/incidents/${incident.id}/publish`
  const opened = await admin.post(publishing, { texts: { en: 'Slow.' } })
  assert.equal(opened.status, 200, opened.text)
  objects.set('/v1/admin/incidents/:id', incident.id)
  objects.set('/v1/status/incidents/:id', incident.id)
  const copied = await person(app)
  const participants = `/v1/admin/tickets/${ticket.id}/participants`
  const shared = await made(admin, participants, { address: copied.email })
  const added = shared.participants.find(({ role }: Body) => role === 'copied')
  objects.set('/v1/admin/tickets/:id/participants/:participantId', added.id)
  const fact = { userId: owner.userId, position: 1, label: 'Discord ID', text: '80351110224678912' }
  const factId = newId()
  await transact(app.deps.database.of(app.tenantId), (tx) =>
    tx
      .insertInto('users.facts')
      .values({ tenantId: app.tenantId, id: factId, ...fact })
      .execute(),
  )
  objects.set('/v1/admin/users/:id/facts/:factId', factId)
  objects.set('/v1/admin/rbac/users/:id', owner.userId)
  objects.set('/v1/admin/reports/users/:id', owner.userId)
  const role = { name: 'Support', permissions: ['users:read'] }
  await made(admin, '/v1/admin/rbac/roles', role, '/v1/admin/rbac/roles/:id')
  await made(admin, '/v1/admin/rbac/groups', { name: 'Team' }, '/v1/admin/rbac/groups/:id')
  const forum = await register(admin)
  objects.set('/v1/admin/oauth-clients/:id', forum.clientId)
  const hook = { url: `${hooks.url}/hook` }
  const endpoint = await made(admin, '/v1/admin/webhook-endpoints', hook)
  objects.set('/v1/admin/webhook-endpoints/:id', endpoint.id)
  objects.set('/v1/admin/webhook-endpoints/deliveries/:id', await hooked(shop, endpoint.id, owner))
  await givePassword(app, owner.userId)
  await signInFor(await relyingParty(app, forum), new Browser(app), owner.email)
  objects.set('/v1/users/me/consents/:clientId', forum.clientId)
  // With a passkey a sign-in takes a second step: so it comes after those above.
  const { id: passkeyId } = await enrolPasskey(owner, app.deps.config.publicUrl)
  objects.set('/v1/users/me/passkeys/:id', passkeyId)
  const tenant = { name: 'Another shop', domains: ['another.test'] }
  const { id: tenantId } = await made(admin, '/v1/admin/tenants', tenant, '/v1/admin/tenants/:id')
  for (const kind of ['logo', 'dark-logo', 'favicon']) {
    const shown = await admin.put(`/v1/admin/tenants/${tenantId}/${kind}`, picture)
    assert.equal(shown.status, 200, shown.text)
  }
  const [mail] = (await admin.get('/v1/admin/mails')).body.data
  objects.set('/v1/admin/mails/:id', mail.id)
  const announcement = { texts: { en: { title: 'Maintenance', body: 'Tonight.' } } }
  await made(admin, '/v1/admin/announcements', announcement, '/v1/admin/announcements/:id')
  const legal = { kind: 'privacy', texts: { en: 'We keep little.' } }
  await made(admin, '/v1/admin/legal-texts', legal)
  objects.set('/v1/legal-texts/:kind', 'privacy')
  objects.set('/v1/admin/mail-templates/:kind', 'invoice_paid')
  assert.ok(app.routes.length > 0)
  return { ...shop, owner, objects, daemons, bot, discordId }
}

/** A bot, a role it gives, and the owner as the bot knows them: with that role. */
async function chat({ app, admin }: GameShop, owner: Person, objects: Map<string, string>) {
  const bot = await botOf(app, admin)
  objects.set('/v1/admin/bot-tokens/:id', bot.id)
  const discordId = await linkDiscord(app, owner)
  objects.set('/v1/bot/users/:discordId', discordId)
  const role = { discordGuildId: GUILD, discordRoleId: '700000000000000002' }
  const body = { ...role, source: 'active_service' }
  const mapping = await admin.post('/v1/admin/bot/role-mappings', body)
  assert.equal(mapping.status, 201, mapping.text)
  objects.set('/v1/admin/bot/role-mappings/:id', mapping.body.id)
  await until('the owner has the role', async () => {
    return (await bot.get('/v1/bot/members')).body.data.length > 0
  })
  return { bot, discordId }
}

/** The owner brings customers, and was brought by the administrator. */
async function recommend({ app, admin }: GameShop, owner: Person): Promise<void> {
  const enrolled = await admin.post('/v1/affiliation')
  assert.equal(enrolled.status, 201, enrolled.text)
  assert.equal((await owner.post('/v1/affiliation')).status, 201)
  const { tenantId, userId } = owner
  const recommendation = { referralCode: enrolled.body.code, visitorToken: null }
  await transact(app.deps.database.of(tenantId), (tx) =>
    emit(tx, userRegistered, { tenantId, userId, ...recommendation }),
  )
  await until('the referral', async () => {
    const { body } = await admin.get('/v1/admin/referrals')
    return body.data.length > 0
  })
}

/** A service that staff have delivered, and one that they are to deliver: answers that task. */
async function byHand(shop: GameShop): Promise<string> {
  const { admin, catalog } = shop
  const instructions = 'Set it up.'
  const { plan } = await catalog.offer(
    {},
    { delivery: 'manual', provisioning: null, instructions, promiseHours: 24 },
  )
  await shop.buy(await shop.customer(), plan.id)
  const taskOf = (action: string): Promise<string> =>
    until(`a task to ${action}`, async () => {
      const { body } = await admin.get(`/v1/admin/tasks?state=pending&action=${action}`)
      return body.data[0]?.id
    })
  const details = [
    { label: 'Address', value: 'voice.example.org' },
    { label: 'Password', value: 'correct horse', secret: true },
  ]
  const done = await admin.post(`/v1/admin/tasks/${await taskOf('create')}/done`, { details })
  assert.equal(done.status, 200, done.text)
  // Its next invoice is not due now.
  const { tenantId } = shop
  const key = { tenantId, id: done.body.serviceId as string }
  const { clock, database } = shop.app.deps
  await transact(database.of(tenantId), (tx) => renewOne(tx, key, clock.now()))
  await shop.buy(await shop.customer(), plan.id)
  return taskOf('create')
}

/** A service that a system of the host is about to deliver: answers that delivery. */
async function bySystem({ admin, buy, catalog, customer }: GameShop, hooks: Receiver) {
  hooks.on('/deliveries', answers(202))
  const webhook = { url: `${hooks.url}/deliveries`, includeCustomer: true }
  const fields = { delivery: 'webhook', provisioning: null, webhook }
  const { product, plan } = await catalog.offer({}, fields)
  const path = `/v1/admin/products/${product.id}`
  for (const step of ['delivery/secret', 'delivery/test', 'publish']) {
    const { status, text } = await admin.post(`${path}/${step}`)
    assert.equal(status, 200, text)
  }
  const buyer = await customer()
  await buy(buyer, plan.id)
  const [service] = (await buyer.get('/v1/services')).body.data
  return until('a delivery that is accepted', async () => {
    const { body } = await admin.get(`/v1/admin/services/${service.id}/deliveries`)
    return body.data[0]?.state === 'accepted' && (body.data[0].id as string)
  })
}

/** A purchase with a saved card, its server, and a part of it given back. */
async function buyAndRefund(shop: GameShop, owner: Person, planId: string) {
  const placed = await shop.order(owner, planId, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(owner, 'active')
  const refund = { amountCents: 100, to: 'credit', reason: 'A late start' }
  const path = `/v1/admin/invoices/${placed.invoice.id}/refund`
  const answer = await shop.admin.post(path, refund)
  assert.ok(answer.status < 300, answer.text)
  const [refunded] = answer.body.refunds
  const [creditNote] = (await owner.get('/v1/billing/credit-notes')).body.data
  for (const document of [`invoices/${placed.invoice.id}`, `credit-notes/${creditNote.id}`]) {
    const pdf = `/v1/billing/${document}/pdf`
    await until(`${document} is made`, async () => (await owner.get(pdf)).status === 200)
  }
  const method = await until('the card is saved', async () => {
    const { body } = await owner.get('/v1/billing/payment-methods')
    return body.data[0]
  })
  return { ...placed, service, creditNote, method, refund: refunded }
}

/** Tokens for the daemons of two connections. */
async function daemonsOf({ admin, nodeId }: GameShop, objects: Map<string, string>) {
  const url = 'https://1.1.1.1'
  const body = { name: 'Another panel', url, type: 'pterodactyl', apiKey: 'ptla_of_another' }
  const other = await admin.post('/v1/admin/nodes', body)
  const issue = (id: string) => admin.post(`/v1/admin/nodes/${id}/daemon-token`, {})
  const [ours, theirs] = [await issue(nodeId), await issue(other.body.id)]
  assert.deepEqual([ours.status, theirs.status], [201, 201], theirs.text)
  objects.set('/v1/admin/nodes/:id/daemon-tokens/:daemonTokenId', ours.body.id)
  return { own: ours.body.token as string, other: theirs.body.token as string }
}

async function serverOf({ app, tenantId }: GameShop, serviceId: string): Promise<string> {
  const { serverUuid } = await app.deps.database
    .of(tenantId)
    .selectFrom('services.services')
    .select('serverUuid')
    .where('id', '=', serviceId)
    .executeTakeFirstOrThrow()
  assert.ok(serverUuid)
  return serverUuid
}

/** Money that came in by bank, and nobody knows what for. */
async function transferred({ admin }: GameShop): Promise<Body> {
  const iban = 'DE02120300000000202051'
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
    settings: { holder: 'Host', iban },
  })
  assert.equal(gateway.status, 201, gateway.text)
  const { id: gatewayId } = gateway.body
  const content = camtStatement([{ amount: '3.33', text: 'a gift', day: '2020-01-07' }], iban)
  const file = { gatewayId, format: 'camt.053', content }
  const { status, text } = await admin.post('/v1/admin/bank-statements', file)
  assert.equal(status, 201, text)
  return until('somebody is to look at it', async () => {
    const { body } = await admin.get('/v1/admin/bank-entries?status=open')
    return body.data[0]
  })
}

/** A bank asks about a payment, and has its answer. */
async function inquire({ app, admin, control }: GameShop, invoiceId: string): Promise<string> {
  const { providerPaymentId } = await app.deps.database
    .of(app.tenantId)
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select('payment.providerPaymentId')
    .where('part.invoiceId', '=', invoiceId)
    .executeTakeFirstOrThrow()
  const inquiry = { paymentIntent: providerPaymentId, kind: 'inquiry' }
  const { id } = await control('disputes', inquiry)
  await control(`disputes/${id}/close`, { outcome: 'warning_closed' })
  return until('the inquiry is closed', async () => {
    const { body } = await admin.get('/v1/admin/disputes?status=closed_without_loss')
    return body.data[0]?.id as string | undefined
  })
}

/** What an endpoint was sent; switched off after that, so that nobody is called. */
async function hooked({ app, admin }: GameShop, endpointId: string, { userId }: Person) {
  const url = `/v1/admin/webhook-endpoints/${endpointId}`
  assert.equal((await admin.patch(url, { enabled: false })).status, 200)
  await transact(app.deps.database.of(app.tenantId), (tx) =>
    emit(tx, userUnsuspended, { tenantId: app.tenantId, userId }),
  )
  return until('a delivery is kept', async () => {
    const { body } = await admin.get(`${url}/deliveries`)
    return body.data[0]?.id as string | undefined
  })
}

/** What only a provider's mistake would make. */
/** A dump of a system that nobody knows. */
async function turnedDown({ app, admin }: GameShop): Promise<string> {
  const answer = await uploadDump(admin, Buffer.from('insert into t values (1);'), {
    dryRun: 'true',
  })
  assert.equal(answer.status, 202, answer.text)
  const { id } = await endedImport(app, admin, answer.body.id)
  await reconciled(app, id)
  return id
}

/** An import has a reconciliation a week after its renewals began: here without the week. */
async function reconciled({ deps, tenantId }: GameShop['app'], importId: string): Promise<void> {
  const now = deps.clock.now()
  await transact(deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('imports.reconciliations')
      .values({
        ...{ tenantId, importId, days: 7, beganAt: now },
        ...{ throughAt: now, dueAt: now, readyAt: now },
      })
      .execute(),
  )
}

/** A payment that a person made in the system before this one, as an import writes it. */
async function paidBefore(
  { app }: GameShop,
  { userId }: Person,
  importId: string,
): Promise<string> {
  const { tenantId, deps } = app
  const id = newId()
  const at = deps.clock.now()
  await transact(deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('billing.imported_payments')
      .values({
        ...{ tenantId, id, importId, userId, invoiceId: null, currency: 'EUR' },
        ...{ gateway: 'stripe', reference: 'ch_before', description: '', refundOf: null },
        ...{ inCents: cents(500), outCents: cents(0), feeCents: cents(0) },
        ...{ happenedAt: at, createdAt: at, system: 'whmcs', sourceId: 1 },
      })
      .execute(),
  )
  return id
}

async function differ({ app, gatewayId }: GameShop): Promise<string> {
  const { tenantId } = app
  const id = newId()
  await transact(app.deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('billing.breaks')
      .values({
        ...{ tenantId, id, gatewayId, kind: 'payment_not_booked', objectId: 'pi_unknown' },
        ...{ details: json({}), createdAt: app.deps.clock.now() },
      })
      .execute(),
  )
  return id
}

/** Somebody of the same tenant who has nothing. */
export function stranger({ app }: World): Promise<Person> {
  return person(app)
}
