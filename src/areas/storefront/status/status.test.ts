import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant } from '#test/people.ts'

const shop = await gameShop()
const { app, admin, nodeId } = shop
await otherTenant(app, 'quiet.test')
const url = '/v1/admin/incidents'

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(app.url + path, { headers, redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

test('without an incident there is no status page, and no link to it', async () => {
  for (const path of ['/status', '/status/feed.atom']) {
    assert.equal((await open(path)).status, 404, path)
  }
  assert.doesNotMatch((await open('/')).text, /href="\/status"/)
})

test('support A87: the status page and the feed show what goes on, in the language of the reader, and name no panel connection', async () => {
  const customer = await shop.customer()
  const { product, plan } = await shop.server()
  await shop.buy(customer, plan.id)
  await shop.serviceBecame(customer, 'active')
  const location = await admin.post('/v1/admin/locations', { name: 'Lyon', country: 'FR' })
  const node = (await admin.get(`/v1/admin/nodes/${nodeId}`)).body
  const now = app.deps.clock.now()

  async function publish(body: object, texts: object): Promise<string> {
    const made = await admin.post(url, body)
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    const answer = await admin.post(`${url}/${id}/publish`, { texts })
    assert.equal(answer.status, 200, answer.text)
    return id
  }
  const titles = { en: 'Network <failure>', fr: 'Panne de réseau' }
  const hostile = { en: 'We look & see.\n\n<script>alert(1)</script>', fr: 'Nous cherchons.' }
  const incident = { kind: 'incident', impact: 'major', titles, nodeIds: [nodeId] }
  const id = await publish({ ...incident, locationIds: [location.body.id] }, hostile)
  const plain = await publish({ ...incident, titles: { en: 'Slow panel' } }, { en: 'Slow.' })
  const planned = await publish(
    {
      ...{ kind: 'maintenance', impact: 'minor', titles: { en: 'New switches' } },
      ...{ productIds: [product.id] },
      ...{ startsAt: later(now, 2 * DAY_MS), endsAt: later(now, 2 * DAY_MS + HOUR_MS) },
    },
    { en: 'Servers restart once.' },
  )
  await admin.post(`${url}/${plain}/updates`, { texts: { en: 'Fast again.' }, state: 'resolved' })

  const { status, text } = await open('/status')
  assert.equal(status, 200)
  assert.match(text, /<h1>Status<\/h1><p class="lead state t-failed">Services are disturbed<\/p>/)
  assert.match(text, /<h2>Now<\/h2>[\s\S]*Network &lt;failure&gt;[\s\S]*Affected: Lyon/)
  assert.match(text, /<p>We look &amp; see\.<\/p><p>&lt;script&gt;alert/)
  assert.match(text, /<h2>Planned<\/h2>[\s\S]*New switches[\s\S]* UTC/)
  assert.match(text, /<h2>Earlier<\/h2><h3>\w+ \d{4}<\/h3>[\s\S]*Slow panel[\s\S]*Game servers/)
  assert.match(text, /<link rel="alternate" type="application\/atom\+xml" href="\/status\/feed/)
  assert.match((await open('/')).text, /<a href="\/status">Status<\/a>/)
  assert.match((await open('/sitemap.xml')).text, /<loc>[^<]*\/status<\/loc>/)
  const french = await open('/status', { 'accept-language': 'fr' })
  assert.match(french.text, /<h1>État des services<\/h1>[\s\S]*Panne de réseau/)
  assert.match(french.text, new RegExp(`<a href="/status/${planned}" lang="en">New switches`))

  const one = await open(`/status/${plain}`)
  assert.match(one.text, /<h1>Slow panel<\/h1>[\s\S]*<h2>Resolved<\/h2>[\s\S]*Fast again/)
  assert.match(one.text, /<h2>Investigating<\/h2>[\s\S]*Slow\./)

  const feed = await open('/status/feed.atom')
  assert.equal(feed.headers.get('content-type'), 'application/atom+xml')
  assert.match(feed.text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<feed xmlns="http:\/\/www/)
  for (const it of [id, plain, planned]) {
    const entry = new RegExp(
      `<entry><id>urn:uuid:${it}</id><title>[^<]+</title><link href="[^"]+"/>`,
    )
    assert.match(feed.text, entry)
  }
  assert.match(feed.text, /<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated><author><name>/)
  assert.match(feed.text, /&lt;script&gt;alert/)
  const updated = [...feed.text.matchAll(/<updated>([^<]+)<\/updated>/g)].map(([, it]) => it)
  assert.equal(updated[0], updated[1], 'that of the newest entry')

  const secrets = [node.name, new URL(node.url).host, nodeId, customer.email, customer.userId]
  for (const page of [text, french.text, one.text, feed.text]) {
    for (const secret of secrets) assert.ok(!page.includes(secret), secret)
    assert.doesNotMatch(page, /<script>alert/)
  }
  const elsewhere = await app.get('/status', { headers: { host: 'quiet.test' } })
  assert.equal(elsewhere.status, 404)
  assert.equal((await open(`/status/${nodeId}`)).status, 404)
  assert.equal((await open('/status/not-an-id')).status, 404)
})
