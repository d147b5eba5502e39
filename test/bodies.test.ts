import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { payTokenOf } from '#notifications'
import type { Schema } from '#test/arbitrary.ts'
import type { Answer, Client } from '#test/client.ts'
import { contents } from '#test/contents.ts'
import { dereferenced } from '#test/document.ts'
import { WORDS } from '#test/matrix.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { uploaded } from '#test/uploads.ts'
import { world } from '#test/world.ts'

/**
 * What stands in bodies, for every route of the document that takes one: fields nobody may set, and
 * ids of what belongs to somebody else. A new route is in here by being registered.
 */
const there = await world()
const { app, owner, admin, bot, objects } = there
const document = dereferenced((await app.get('/v1/openapi.json')).body)
const stranger = await person(app)
const foreigner = await person(app, {
  tenantId: await otherTenant(app, 'other.test'),
  admin: true,
})

/** Bytes that a provider has signed, whatever is in them. */
const SIGNED = ['/v1/billing/webhooks/:gatewayId']
/** Nothing in the world has failed for the last time: an id here is always one of nothing. */
const WITHOUT_OBJECT = /^\/v1\/admin\/jobs\/:id/

type Media = { content: Record<string, { schema: Schema }> }
type Operation = { method: string; path: string; access: string; body: Schema }

/** The schema of a JSON body; an operation that declares none accepts an object without fields. */
function bodyOf(method: string, { requestBody }: { requestBody?: Media }): Schema | undefined {
  if (requestBody) return requestBody.content['application/json']?.schema
  return method === 'GET' ? undefined : { type: 'object', additionalProperties: false }
}

const operations: Operation[] = app.routes.flatMap(({ method, url, config }) => {
  const path = url.replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[path]?.[method.toLowerCase()]
  // The forms of OpenID Connect name nothing by our ids.
  const body = operation && bodyOf(method, operation)
  // What daemons say is read as their protocol has it: fields of later versions are no mistake.
  return body && config.access !== 'daemon' && !SIGNED.includes(url)
    ? [{ method, path: url, access: config.access ?? '', body }]
    : []
})

function clientOf({ access }: Operation): Client {
  const clients: Record<string, Client> = { admin, bot, user: owner }
  return clients[access] ?? app
}

function urlOf({ path }: Operation, instead: ReadonlyMap<string, string> = new Map()): string {
  const seen: string[] = []
  const parts = path.split('/').map((part) => {
    seen.push(part)
    if (!part.startsWith(':')) return part
    const prefix = seen.join('/')
    return encodeURIComponent(instead.get(path) ?? WORDS[part] ?? objects.get(prefix) ?? newId())
  })
  return parts.join('/')
}

test('the document has the bodies of the routes', () => {
  assert.ok(operations.length > 40, `${operations.length} bodies`)
})

const FORBIDDEN = {
  ...{ role: 'admin', isAdmin: true, permissions: ['*'], system: true, tenantId: newId() },
  ...{ ownerId: newId(), userId: newId(), status: 'active', totalCents: 0, priceCents: 0 },
  ...{ emailVerifiedAt: '2030-01-01T00:00:00.000Z', credits: 1_000_000, balanceCents: 1_000_000 },
  ...{ isDefault: true, closedAt: null, paidAt: '2030-01-01T00:00:00.000Z' },
}

test('fields that are not the caller’s to set are refused by name, and change nothing (hardening 5)', async () => {
  await there.quiet()
  const before = await contents(app)
  const fields = Object.entries(FORBIDDEN)
  const tried = operations.filter(({ path }) => !WITHOUT_OBJECT.test(path))
  for (const [index, operation] of tried.entries()) {
    const { properties = {}, required = [] } = operation.body
    const name = `${operation.method} ${operation.path}`
    const wanted = Object.fromEntries(required.map((field) => [field, null]))
    // The first one is named: each of them comes first somewhere.
    const turned = [...fields, ...fields].slice(index % fields.length).slice(0, fields.length)
    const extra = turned.filter(([field]) => !(field in properties))
    assert.ok(extra.length > 5, `${name} knows ${Object.keys(properties)}`)
    const url = urlOf(operation)
    const { status, body } = await clientOf(operation).request(operation.method, url, {
      ...wanted,
      ...Object.fromEntries(extra),
    })
    assert.equal(status, 400, `${name}: ${JSON.stringify(body)}`)
    assert.deepEqual(body.details, [{ path: extra[0]?.[0], message: 'is not a known field' }], name)
  }
  assert.deepEqual(await contents(app), before)
})

test('no part of a body takes fields that it does not name (hardening 5)', () => {
  const open: string[] = []
  function look(schema: Schema, place: string): void {
    const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
    for (const part of parts) look(part, place)
    if (schema.items) look(schema.items, `${place}[]`)
    const { additionalProperties: others } = schema
    const isOpen = others === undefined || others === true
    if ([schema.type].flat().includes('object') && isOpen) open.push(place)
    for (const [name, it] of Object.entries(schema.properties ?? {})) look(it, `${place}.${name}`)
  }
  for (const { method, path, body } of operations) look(body, `${method} ${path}`)
  // What a browser says of a passkey is read as its standard has it.
  const own = open.filter((place) => !/^POST \S+\/passkeys(\/verify)?\.response/.test(place))
  assert.deepEqual(own, [])
})

/** What an id in a field of this name is of. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ planId: 'plan', planIds: 'plan', productId: 'product', productIds: 'product' },
  ...{ upgradeTargetIds: 'product', categoryId: 'category', categoryIds: 'category' },
  ...{ taxRateId: 'taxRate', roleIds: 'role', memberIds: 'user', eggId: 'egg', nodeIds: 'node' },
  ...{ nodeId: 'node', findingIds: 'finding', locationId: 'location', locations: 'location' },
  ...{ gatewayId: 'gateway', paymentMethodId: 'method', invoiceIds: 'invoice' },
  ...{ invoiceId: 'foreignInvoice', groupId: 'optionGroup', optionIds: 'option' },
  locationIds: 'location',
  ...{ userId: 'user', sourceId: 'product', ids: 'notification', assigneeId: 'user' },
  ...{ departmentId: 'department', departmentIds: 'department', groupIds: 'group' },
  serviceId: 'service',
  ...{ affiliateId: 'affiliate', id: 'user', savedReplyId: 'savedReply' },
  attachmentIds: 'upload',
}

/** One of every kind that the caller may not use: of another tenant or, of one's own, another user's. */
async function foreignIds(): Promise<ReadonlyMap<string, string>> {
  const shop = shopOf(foreigner)
  const { product, plan } = await shop.offer()
  async function made(path: string, body: object): Promise<string> {
    const answer = await foreigner.post(`/v1/admin/${path}`, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }
  const settings = { holder: 'Other', iban: 'DE89370400440532013000' }
  const node = await copied('panel.nodes', there.nodeId, { tenant_id: foreigner.tenantId })
  const optionGroup = await made('option-groups', { name: 'Foreign' })
  const elsewhere = { tenant_id: foreigner.tenantId, node_id: node }
  const methodId = objects.get('/v1/billing/payment-methods/:id') ?? ''
  const invoiceId = objects.get('/v1/admin/invoices/:id') ?? ''
  const serviceId = objects.get('/v1/services/:id') ?? ''
  const theirServer = {
    ...{ user_id: stranger.userId, external_id: newId() },
    ...{ server_id: null, server_uuid: null },
  }
  const told = objects.get('/v1/notifications/:id') ?? ''
  const theirOwn = { tenant_id: foreigner.tenantId, user_id: foreigner.userId }
  const theirs = { user_id: stranger.userId, provider_method_id: 'pm_of_somebody_else' }
  return new Map([
    ['product', product.id],
    ['plan', plan.id],
    ['category', (await shop.category()).id],
    ['taxRate', (await shop.taxRate()).id],
    ['savedReply', await made('saved-replies', { name: 'Foreign', texts: { en: 'Hello.' } })],
    ['upload', await uploaded(stranger)],
    ['role', await made('rbac/roles', { name: 'Foreign', permissions: [] })],
    ['group', await made('rbac/groups', { name: 'Foreign' })],
    ['department', await made('departments', { names: { en: 'Foreign' } })],
    ['service', await copied('services.services', serviceId, theirServer)],
    ['user', foreigner.userId],
    ['affiliate', (await foreigner.post('/v1/affiliation')).body.id],
    [
      'gateway',
      await made('gateways', {
        ...{ driver: 'bank_transfer', name: 'T', mode: 'live', enabled: true, settings },
        secrets: {},
      }),
    ],
    ['node', node],
    ['location', await made('locations', { name: 'Foreign', country: 'DE' })],
    ['optionGroup', optionGroup],
    [
      'option',
      await made('options', { groupId: optionGroup, key: 'memory', kind: 'quantity', name: 'M' }),
    ],
    ['finding', await foundOn(node)],
    ['egg', await copied('panel.eggs', there.eggId, elsewhere)],
    ['method', await copied('billing.payment_methods', methodId, theirs)],
    ['invoice', (await there.invoice(stranger)).id],
    ['notification', await copied('notifications.notifications', told, theirOwn)],
    ['foreignInvoice', await copied('billing.invoices', invoiceId, theirOwn)],
  ])
}

/** What a comparison found on a panel of the foreigner's. */
async function foundOn(nodeId: string): Promise<string> {
  const id = newId()
  const values = [foreigner.tenantId, nodeId, id]
  await app.deps.database.execute(
    `insert into services.drift_reports (tenant_id, node_id, id, started_at)
     values ($1, $2, $3, now())`,
    values,
  )
  await app.deps.database.execute(
    `insert into services.drift_findings (tenant_id, node_id, id, kind, server_id, found_at)
     values ($1, $2, $3, 'orphan', 1, now())`,
    values,
  )
  return id
}

/** What the owner's service may become, for more than it costs now. */
async function upgradeTarget(): Promise<string> {
  const { product } = await there.server({}, { priceCents: 5000 })
  const path = `/v1/admin/products/${objects.get('/v1/admin/products/:id')}`
  const { status, text } = await admin.patch(path, { upgradeTargetIds: [product.id] })
  assert.equal(status, 200, text)
  return product.id
}

/** A row like another one, of somebody else: in all but that as good as the caller's own. */
async function copied(table: string, id: string, changes: object): Promise<string> {
  const copy = newId()
  const { rows } = await app.deps.database.execute(
    `insert into ${table}
     select (jsonb_populate_record(it, $1::jsonb)).* from ${table} it where id = $2 returning id`,
    [JSON.stringify({ ...changes, id: copy }), id],
  )
  assert.equal(rows.length, 1, table)
  return copy
}

/** Where in a body an id stands: `provisioning.nodeIds[]`. */
function idFields(schema: Schema, place: readonly string[] = []): string[][] {
  if (schema.format === 'uuid') return [[...place]]
  const parts = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [
    ...parts.flatMap((part) => idFields(part, place)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, it]) =>
      idFields(it, [...place, name]),
    ),
  ]
}

/** The least that a schema takes. */
function sampleOf(schema: Schema): unknown {
  const [first] = schema.anyOf ?? []
  if (first) return sampleOf(first)
  if (schema.enum) return schema.enum[0]
  const [type] = [schema.type].flat()
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
  }
  if (type === 'array') return []
  if (type === 'integer') return Math.max(schema.minimum ?? 1, 1024)
  if (type === 'boolean') return false
  if (schema.format === 'uuid') return newId()
  return 'Sample'
}

/** `body` with an id at a place; lists get it as their one entry. */
function withId(schema: Schema, body: unknown, place: readonly string[], id: string): unknown {
  const [name, ...rest] = place
  const isList = [schema.type].flat().includes('array')
  if (name === undefined) return isList ? [id] : id
  if (isList) {
    const { items = {} } = schema
    const [entry = sampleOf(items)] = Array.isArray(body) ? body : []
    return [withId(items, entry, place, id)]
  }
  const own = (schema.anyOf?.[0] ?? schema).properties?.[name] ?? {}
  const inner = own.anyOf?.[0] ?? own
  const before = (body as Record<string, unknown>)[name] ?? sampleOf(inner)
  return { ...(body as object), [name]: withId(inner, before, rest, id) }
}

test('an id of somebody else’s in a body is answered as the id of nothing, and changes nothing (hardening 4)', async () => {
  const foreign = await foreignIds()
  const openInvoice = (await there.invoice(owner)).id
  const ours = { eggId: there.eggId, limits: { memoryMb: 1024, diskMb: 1024, cpuPercent: 100 } }
  const optionGroup = await admin.post('/v1/admin/option-groups', { name: 'Ours' })
  /** Where the least that a schema takes is not enough to come to the id. */
  const bases: Readonly<Record<string, object>> = {
    'POST /v1/admin/departments': { names: { en: 'Billing' } },
    'POST /v1/admin/saved-replies': { name: 'Hello', texts: { en: 'Hello.' } },
    'POST /v1/admin/tickets/:id/messages': { kind: 'public', body: 'Hello.', force: true },
    'POST /v1/admin/incidents': { titles: { en: 'Failure' } },
    'POST /v1/admin/locations': { name: 'Foreign', country: 'DE' },
    'POST /v1/admin/options': {
      ...{ groupId: optionGroup.body.id, key: 'foreign', kind: 'select', name: 'Foreign' },
      values: [{ key: 'a', label: 'A' }],
    },
    'PATCH /v1/admin/options/:id': { values: [{ key: 'a', label: 'A' }] },
    'POST /v1/cart/items': { planId: objects.get('/v1/admin/plans/:planId') },
    'POST /v1/admin/coupons': { code: 'FOREIGN', type: 'percent', percentBasisPoints: 1000 },
    'POST /v1/admin/coupons/generate': { count: 1, type: 'percent', percentBasisPoints: 1000 },
    'POST /v1/admin/invoices/bulk': {
      ...{ action: 'mark_paid', reference: 'Transfer' },
      ids: [objects.get('/v1/admin/invoices/:id')],
      gatewayId: objects.get('/v1/admin/gateways/:id'),
    },
    'POST /v1/admin/products/bulk-tax-rate': {
      ...{ productIds: [objects.get('/v1/admin/products/:id')] },
      taxRateId: objects.get('/v1/admin/tax-rates/:id'),
    },
    'POST /v1/admin/bot/role-mappings': {
      ...{ discordGuildId: '700000000000000001', discordRoleId: '700000000000000003' },
      source: 'product',
    },
    'PATCH /v1/admin/bot/role-mappings/:id': { source: 'product' },
    'POST /v1/admin/announcements': { texts: { en: { title: 'Hello', body: 'Word' } } },
    'POST /v1/admin/invoices': { userId: owner.userId },
    'PUT /v1/admin/presence': { kind: 'user' },
    'POST /v1/billing/pay': { invoiceIds: [openInvoice], gatewayId: there.gatewayId },
    'POST /v1/services/:id/upgrade': { productId: await upgradeTarget() },
  }
  const draft = await admin.post('/v1/admin/invoices', { userId: owner.userId })
  assert.equal(draft.status, 201, draft.text)
  const paths = new Map([
    ['/v1/billing/invoices/:id/pay', openInvoice],
    ['/v1/billing/payment-links/:token/pay', payTokenOf(there.app.deps.secrets, openInvoice)],
    ['/v1/admin/invoices/:id/mark-paid', openInvoice],
    ['/v1/admin/invoices/:id', draft.body.id],
  ])
  await there.quiet()
  const before = await contents(app)
  const tried: string[] = []
  for (const operation of operations) {
    for (const place of idFields(operation.body)) {
      const name = `${operation.method} ${operation.path}`
      const where = `${name} ${place.join('.')}`
      const kind = KINDS[place.at(-1) ?? '']
      assert.ok(kind, `${where}: say in KINDS what it is the id of`)
      const base = { ...(sampleOf(operation.body) as object), ...bases[name] }
      const whole = place[0] === 'provisioning' ? { ...base, provisioning: ours } : base
      const send = (id: string) =>
        clientOf(operation).request(
          operation.method,
          urlOf(operation, paths),
          withId(operation.body, onlyFor(whole, place), place, id),
        )
      const theirs = foreign.get(kind)
      assert.ok(theirs, `There is no foreign ${kind}`)
      const nothing = newId()
      const [known, unknown] = [await send(theirs), await send(nothing)]
      assert.deepEqual(said(known, theirs), said(unknown, nothing), where)
      // A bot says what it has passed on: of what it was never told, nothing is.
      // A quote says of what it does not know that it is not for sale.
      // A bulk operation says so in the row of each object.
      const { acknowledged, faults, done, failed } = known.body
      const isNothing =
        known.status === 200 &&
        (acknowledged === 0 || faults?.length > 0 || (done === 0 && failed === 1))
      assert.ok(
        isNothing || [400, 404, 422].includes(known.status),
        `${where}: ${known.status} ${known.text}`,
      )
      const [first] = known.body.details ?? []
      const named = first?.path.replace(/\.\d+/g, '')
      assert.ok(!first || named.startsWith(place.join('.')), `${where}: ${known.text}`)
      tried.push(where)
    }
  }
  assert.ok(tried.length > 25, `${tried.length} ids`)
  assert.deepEqual(await contents(app), before)
})

/** Two ways to say which products exclude each other: the one that is not tried is left out. */
function onlyFor(body: Record<string, unknown>, [first]: readonly string[]) {
  if (first !== 'categoryId' || !('productIds' in body)) return body
  const { productIds: _, ...rest } = body
  return rest
}

function said({ status, text }: Answer, id: string): [number, string] {
  return [status, text.replaceAll(id, '<id>')]
}
