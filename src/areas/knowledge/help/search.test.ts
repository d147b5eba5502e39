import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { helpOf } from '#test/help.ts'
import { otherTenant, person } from '#test/people.ts'

type Body = Answer['body']

const app = await testApp(null)
const admin = await person(app, { admin: true })
const elsewhere = await otherTenant(app, 'search.test')
const foreigner = await person(app, { tenantId: elsewhere, admin: true })
const help = helpOf(admin)
const { id: categoryId } = await help.category('Search')
const theirs = helpOf(foreigner)
const { id: theirCategory } = await theirs.category('Search')
const { pool } = app.deps.database

async function found(q: string, language = 'en', who: Client = app): Promise<string[]> {
  const path = `/v1/knowledge/search?${new URLSearchParams({ q }).toString()}`
  const options = { headers: { 'accept-language': language } }
  const answer = await who.request('GET', path, undefined, options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ title }: Body) => title)
}

await help.published(categoryId, [
  {
    title: 'Installing plugins',
    summary: 'How plugins get onto a server',
    text: 'Upload the jar, then restart the server. See mods.example.org/help for more.',
  },
  {
    ...{ title: 'Installer des extensions', language: 'fr', slug: 'installer-des-extensions' },
    text: 'Déposez le fichier, puis redémarrez le serveur. L’accès se fait par SFTP.',
  },
])
await help.published(categoryId, {
  title: 'Restarting a server',
  text: 'The panel has a button for it. Plugins are loaded anew.',
})
await theirs.published(theirCategory, { title: 'Installing plugins elsewhere', text: 'Secret.' })

test('support A81: words are found by their stems and without accents, and a title counts more than a text', async () => {
  assert.deepEqual(await found('plugin'), ['Installing plugins', 'Restarting a server'])
  assert.deepEqual(await found('installed'), ['Installing plugins'])
  assert.deepEqual(await found('restart'), ['Restarting a server', 'Installing plugins'])
  for (const words of ['redémarrer', 'REDEMARREZ', 'accès SFTP', "l'acces", 'deposer']) {
    assert.deepEqual(await found(words, 'fr'), ['Installer des extensions'], words)
  }
})

test('support A81: phrases and excluded words', async () => {
  assert.deepEqual(await found('"upload the jar"'), ['Installing plugins'])
  assert.deepEqual(await found('"jar upload"'), [])
  assert.deepEqual(await found('server -jar'), ['Restarting a server'])
})

test('punctuation separates words, and what cannot be found finds nothing', async () => {
  assert.deepEqual(await found('example.org'), ['Installing plugins'])
  assert.deepEqual(await found('re-start plugins?'), [...(await found('re start plugins'))])
  for (const words of [
    '!!!',
    '&|()',
    "'; drop table x; --",
    '\\',
    '""',
    '- -',
    'ﬁ',
    '日本',
    'the',
  ]) {
    assert.deepEqual(await found(words), [], words)
  }
})

test('without an article that has all words, those with some are found, also by the beginning of a word', async () => {
  assert.deepEqual(await found('plugins zeppelin'), ['Installing plugins', 'Restarting a server'])
  assert.deepEqual(await found('insta'), ['Installing plugins'])
  assert.deepEqual(await found('xy'), [])
})

test('a reader of a language without a match gets the articles in that of the shop', async () => {
  await admin.patch('/v1/admin/shop', { brand: { locale: 'en' } })
  assert.deepEqual(await found('button', 'fr'), ['Restarting a server'])
  assert.deepEqual(await found('button', 'de'), ['Restarting a server'])
})

test('support A16: another shop finds nothing, also with the function called directly', async () => {
  assert.deepEqual(await found('elsewhere'), [])
  assert.deepEqual(await found('elsewhere', 'en', foreigner), ['Installing plugins elsewhere'])
  const client = await pool.connect()
  try {
    const search = (tenant: string) =>
      client.query('select * from knowledge.find_articles($1, $2, $3, $4, 10)', [
        ...[tenant, 'plugins', 'en', ['public', 'customers']],
      ])
    const setTenant = (tenant: string) =>
      client.query(`select set_config('moorage.tenant', $1, false)`, [tenant])
    await setTenant(app.tenantId)
    assert.equal((await search(app.tenantId)).rows.length, 2)
    // The tenant is that of the session, whatever a caller says.
    await assert.rejects(search(elsewhere), /another tenant/)
    await assert.rejects(
      client.query('select knowledge.index_article($1, $2)', [elsewhere, newId()]),
    )
    for (const session of ['', '*']) {
      await setTenant(session)
      await assert.rejects(search(app.tenantId), /another tenant/, session)
    }
    await setTenant(app.tenantId)
    await assert.rejects(client.query('select * from knowledge.search'), /permission denied/)
    await assert.rejects(client.query('delete from knowledge.search'), /permission denied/)
  } finally {
    await client.query(`select set_config('moorage.tenant', '', false)`)
    client.release()
  }
})

test('a search uses the index', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role none')
    await client.query(
      `insert into knowledge.search (tenant_id, article_id, locale, audience, words)
       select case when n % 2 = 0 then $1::uuid else $2::uuid end, gen_random_uuid(), 'en', 'public',
              to_tsvector('english', 'server ' || n || ' ' || md5(n::text))
         from generate_series(1, 20000) as n`,
      [app.tenantId, elsewhere],
    )
    await client.query('analyze knowledge.search')
    const { rows } = await client.query(
      `explain (format json) select article_id from knowledge.search
        where tenant_id = $1 and locale = 'en' and words @@ websearch_to_tsquery('english', 'server 77')`,
      [app.tenantId],
    )
    assert.match(JSON.stringify(rows), /search_by_words/)
    assert.doesNotMatch(JSON.stringify(rows), /Seq Scan/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
