import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { HOUR_MS, later } from '#lib/time.ts'
import { json, transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { documentOf } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { readCii, readUbl } from '#test/e-invoice.ts'
import { brokenRules } from '#test/en16931.ts'
import { pngOf } from '#test/images.ts'
import { type Person, person } from '#test/people.ts'
import { makeDocumentJob } from './jobs.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const admin = await person(app, { admin: true })
const ada = await person(app, { country: 'FR' })

const bank = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true },
  settings: { holder: 'Moorage', iban: 'FR7630006000011234567890189' },
})
assert.equal(bank.status, 201, bank.text)

async function pay(invoiceId: string): Promise<void> {
  const payment = { gatewayId: bank.body.id, amountCents: 1200, reference: newId() }
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/mark-paid`, payment)
  assert.equal(status, 200, text)
}

type Kind = 'manual' | 'checkout' | 'top_up'

function open(user: Person, kind: Kind, totalCents = 1200) {
  const now = app.deps.clock.now()
  const document = documentOf([{ totalCents, rate: 2000 }])
  const about = { tenantId, userId: user.userId, kind, reference: newId(), document }
  return transact(db, (tx) => openInvoice(tx, { ...about, dueAt: later(now, HOUR_MS) }, now))
}

function made(client: Person, url: string): Promise<Answer> {
  return until(`${url} is made`, async () => {
    const answer = await client.get(url)
    assert.ok(answer.status === 200 || answer.status === 202, answer.text)
    return answer.status === 200 && answer
  })
}

const files = path.join(app.deps.config.dataDir, 'files')

function storedFiles(): string[] {
  if (!fs.existsSync(files)) return []
  return fs
    .readdirSync(files, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => path.join(it.parentPath, it.name))
}

function rowsOf(invoiceId: string) {
  return db
    .selectFrom('billing.documents as document')
    .innerJoin('billing.document_files as file', 'file.documentId', 'document.id')
    .select(['document.kind', 'file.format', 'file.fileKey', 'file.sha256', 'file.sizeBytes'])
    .where('document.invoiceId', '=', invoiceId)
    .orderBy('file.format')
    .execute()
}

test('an issued invoice is made by itself, and read as PDF, CII and UBL', async () => {
  const { id, number } = await open(ada, 'manual')
  const url = `/v1/billing/invoices/${id}`
  await until('its files are kept', async () => (await rowsOf(id)).length === 3)
  const pdf = await ada.get(`${url}/pdf`)
  assert.equal(pdf.status, 200)
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  assert.equal(pdf.headers['content-disposition'], `attachment; filename="${number}.pdf"`)
  assert.match(pdf.text, /^%PDF-1\.7/)
  const cii = await ada.get(`${url}/xml`)
  assert.equal(cii.headers['content-type'], 'application/xml; charset=utf-8')
  assert.equal(cii.headers['content-disposition'], `attachment; filename="${number}.xml"`)
  const ubl = await ada.get(`${url}/xml?format=ubl`)
  assert.deepEqual(readUbl(ubl.text), readCii(cii.text))
  assert.equal(readCii(cii.text).number, number)
  assert.equal((await ada.get(`${url}/xml?format=word`)).status, 400)
})

test('a number with slashes and pluses in it makes a file name that has neither (hardening 31, 32)', async () => {
  const series = (invoiceSeries: string) =>
    admin.patch('/v1/admin/settings', { billing: { invoiceSeries } })
  for (const code of ['"; x="', 'A\r\nB', '../A', 'A;B']) {
    assert.equal((await series(code)).status, 400, code)
  }
  assert.equal((await series('//A+/B')).status, 200)
  const { id, number } = await open(ada, 'manual')
  assert.equal((await series('INV')).status, 200)
  assert.match(String(number), /^\/\/A\+\/B-/)
  const { headers } = await made(ada, `/v1/billing/invoices/${id}/pdf`)
  const name = String(number).replace(/[/+]/g, '-')
  assert.equal(headers['content-disposition'], `attachment; filename="${name}.pdf"`)
})

test('what is served are the bytes that were stored, with the hash that was kept', async () => {
  const { id } = await open(ada, 'manual')
  const { text } = await made(ada, `/v1/billing/invoices/${id}/xml`)
  const rows = await rowsOf(id)
  assert.deepEqual(
    rows.map(({ kind, format }) => [kind, format]),
    [
      ['invoice', 'cii'],
      ['invoice', 'pdf'],
      ['invoice', 'ubl'],
    ],
  )
  for (const { fileKey, sha256, sizeBytes } of rows) {
    const content = fs.readFileSync(path.join(files, fileKey))
    assert.deepEqual(createHash('sha256').update(content).digest(), sha256)
    assert.equal(content.length, sizeBytes)
  }
  assert.equal(createHash('sha256').update(text).digest('hex'), rows[0]?.sha256.toString('hex'))
})

test('made again after a crash it is the same, though it was paid and the brand is new', async () => {
  const invoice = await open(ada, 'manual')
  const url = `/v1/billing/invoices/${invoice.id}/xml`
  const first = await made(ada, url)
  const before = await rowsOf(invoice.id)
  await pay(invoice.id)
  await transact(db, async (tx) => {
    const brand = json({ name: 'Another name', primaryColor: '#ff0000' })
    await tx.updateTable('tenants.tenants').set({ brand }).where('id', '=', tenantId).execute()
  })
  await forgetFiles(invoice.id)
  const stored = storedFiles()
  const key = { tenantId, kind: 'invoice' as const, sourceId: invoice.id }
  await makeDocumentJob.run(context(), key as never)
  assert.deepEqual(await rowsOf(invoice.id), before)
  assert.deepEqual(storedFiles(), stored)
  assert.equal((await ada.get(url)).text, first.text)
  assert.equal(readCii(first.text).totals.paid, null)
})

test('an invoice keeps the logo it was made with, whatever the shop shows later', async () => {
  const url = `/v1/admin/tenants/${tenantId}/logo`
  const logo = (width: number) => ({ image: pngOf({ width }).toString('base64') })
  assert.equal((await admin.put(url, logo(40))).status, 200)
  const { id } = await open(ada, 'manual')
  await made(ada, `/v1/billing/invoices/${id}/pdf`)
  const before = await rowsOf(id)
  assert.equal((await admin.put(url, logo(80))).status, 200)
  await forgetFiles(id)
  await makeDocumentJob.run(context(), { tenantId, kind: 'invoice', sourceId: id } as never)
  assert.deepEqual(await rowsOf(id), before)
  const [pdf] = before.filter(({ format }) => format === 'pdf')
  const content = fs.readFileSync(path.join(files, pdf?.fileKey ?? '')).toString('latin1')
  assert.match(content, /\/Width 40\b/)
  assert.equal((await admin.delete(url)).status, 200)
})

/** As if the process had died before it could say that the files are there. */
async function forgetFiles(invoiceId: string): Promise<void> {
  await transact(db, async (tx) => {
    const document = tx.updateTable('billing.documents').set({ madeAt: null })
    const [row] = await document.where('invoiceId', '=', invoiceId).returning('id').execute()
    const files = tx.deleteFrom('billing.document_files')
    await files.where('documentId', '=', row?.id ?? '').execute()
  })
}

/** A job's surroundings, to run one by hand. */
function context(): Parameters<typeof makeDocumentJob.run>[0] {
  return {
    ...app.deps,
    ...{ db, tenantId, now: app.deps.clock.now(), requestId: null, lastTry: false },
    signal: new AbortController().signal,
    transact: (work) => transact(db, work),
  }
}

test('a pro forma has a PDF that goes when the invoice gets its number with the money', async () => {
  const invoice = await open(ada, 'checkout')
  const url = `/v1/billing/invoices/${invoice.id}`
  const proForma = await made(ada, `${url}/pdf`)
  assert.match(String(proForma.headers['content-disposition']), /filename="pro-forma-/)
  const refused = await ada.get(`${url}/xml`)
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'no_e_invoice')
  const [kept] = await rowsOf(invoice.id)
  assert.equal(kept?.kind, 'pro_forma')
  await pay(invoice.id)
  const final = await made(ada, `${url}/pdf`)
  assert.match(String(final.headers['content-disposition']), /filename="INV-/)
  const { totals, terms, suppliedOn, due } = readCii((await made(ada, `${url}/xml`)).text)
  assert.deepEqual([totals.due, due], ['0.00', null])
  assert.match(String(terms), /^Paid on \d{4}-\d\d-\d\d \(bank transfer\): 12\.00 EUR$/)
  assert.equal(suppliedOn, app.deps.clock.now().slice(0, 10).replaceAll('-', ''))
  await until('the pro forma is gone', () => !fs.existsSync(path.join(files, kept?.fileKey ?? '')))
  await until('its row too', async () => (await rowsOf(invoice.id)).length === 3)
})

test('a pro forma whose invoice gets its number while it is being made does not stay', async () => {
  const invoice = await open(ada, 'checkout')
  await made(ada, `/v1/billing/invoices/${invoice.id}/pdf`)
  const [kept] = await rowsOf(invoice.id)
  const stored = fs.readFileSync(path.join(files, kept?.fileKey ?? ''))
  await pay(invoice.id)
  await until('the pro forma is gone', async () => (await rowsOf(invoice.id)).length === 3)
  // The job that was late: its file and row are there after all.
  const key = { tenantId, kind: 'pro_forma' as const, sourceId: invoice.id }
  const facts = { paidCents: 0, brandName: 'Moorage', color: null, footer: null }
  const at = { requestedAt: context().now, madeAt: context().now, facts: json(facts) }
  const late = { tenantId, id: newId(), kind: key.kind, invoiceId: invoice.id, creditNoteId: null }
  const fileKey = `${tenantId}/documents/${late.id}/late.pdf`
  await app.deps.files.put(fileKey, stored)
  await transact(db, async (tx) => {
    await tx
      .insertInto('billing.documents')
      .values({ ...late, ...at })
      .execute()
    const file = { format: 'pdf' as const, fileKey, sha256: Buffer.alloc(32), sizeBytes: 1 }
    const row = { tenantId, documentId: late.id, ...file }
    await tx.insertInto('billing.document_files').values(row).execute()
  })
  await makeDocumentJob.run(context(), key as never)
  assert.equal((await rowsOf(invoice.id)).length, 3)
  assert.equal(await app.deps.files.exists(fileKey), false)
})

test('a pro forma that was given up has no document any more', async () => {
  const invoice = await open(ada, 'checkout')
  const url = `/v1/billing/invoices/${invoice.id}/pdf`
  await made(ada, url)
  const [kept] = await rowsOf(invoice.id)
  await admin.post(`/v1/admin/invoices/${invoice.id}/void`)
  await until('it is gone', async () => (await rowsOf(invoice.id)).length === 0)
  assert.equal(fs.existsSync(path.join(files, kept?.fileKey ?? '')), false)
  const refused = await ada.get(url)
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'invoice_void')
})

test('a receipt for credit has a PDF and no e-invoice', async () => {
  const invoice = await open(ada, 'top_up')
  await pay(invoice.id)
  const url = `/v1/billing/invoices/${invoice.id}`
  await made(ada, `${url}/pdf`)
  assert.equal((await ada.get(`${url}/xml`)).body.code, 'no_e_invoice')
})

test('a credit note has its documents and names its invoice', async () => {
  const { id, number } = await open(ada, 'manual')
  const { body } = await admin.post(`/v1/admin/invoices/${id}/credit-note`, { amountCents: 500 })
  const url = `/v1/billing/credit-notes/${body.creditNote.id}`
  const pdf = await made(ada, `${url}/pdf`)
  assert.match(pdf.text, /^%PDF/)
  for (const read of [
    readCii((await ada.get(`${url}/xml`)).text),
    readUbl((await ada.get(`${url}/xml?format=ubl`)).text),
  ]) {
    assert.equal(read.type, '381')
    assert.equal(read.preceding?.number, number)
    assert.deepEqual(brokenRules(read), [])
  }
})

test('nobody else reads a document; an administrator does, and the audit log says so', async () => {
  const { id } = await open(ada, 'manual')
  await made(ada, `/v1/billing/invoices/${id}/pdf`)
  const eve = await person(app)
  for (const format of ['pdf', 'xml']) {
    assert.equal((await eve.get(`/v1/billing/invoices/${id}/${format}`)).status, 404)
    assert.equal((await eve.get(`/v1/admin/invoices/${id}/${format}`)).status, 403)
    assert.equal((await admin.get(`/v1/admin/invoices/${id}/${format}`)).status, 200)
  }
  const { body } = await admin.get(`/v1/admin/audit-logs?objectId=${id}`)
  const routes = body.data.map((it: { route: string }) => it.route)
  assert.ok(routes.includes('/v1/admin/invoices/:id/pdf'))
  assert.ok(routes.includes('/v1/admin/invoices/:id/xml'))
})

test('a document that was never asked for is 202 with a time to come back, then there', async () => {
  const invoice = await open(ada, 'manual')
  await made(ada, `/v1/billing/invoices/${invoice.id}/pdf`)
  await transact(db, async (tx) => {
    await tx.deleteFrom('billing.documents').where('invoiceId', '=', invoice.id).execute()
  })
  const first = await ada.get(`/v1/billing/invoices/${invoice.id}/pdf`)
  assert.equal(first.status, 202)
  assert.deepEqual(first.body, { state: 'being_made' })
  assert.equal(first.headers['retry-after'], '1')
  await made(ada, `/v1/billing/invoices/${invoice.id}/pdf`)
})

test('a full disk keeps nothing, and the next try makes the same document', async () => {
  const invoice = await open(ada, 'manual')
  await made(ada, `/v1/billing/invoices/${invoice.id}/pdf`)
  const [row] = await rowsOf(invoice.id)
  await transact(db, async (tx) => {
    await tx.deleteFrom('billing.documents').where('invoiceId', '=', invoice.id).execute()
  })
  const key = { tenantId, kind: 'invoice' as const, sourceId: invoice.id }
  const full = {
    ...app.deps.files,
    put: async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    },
  }
  // Asked for without the queue: the test runs the tries.
  await transact(db, async (tx) => {
    const document = { tenantId, id: newId(), kind: key.kind, invoiceId: invoice.id }
    const rest = { creditNoteId: null, requestedAt: context().now, facts: null, madeAt: null }
    await tx
      .insertInto('billing.documents')
      .values({ ...document, ...rest })
      .execute()
  })
  await assert.rejects(
    makeDocumentJob.run({ ...context(), files: full }, key as never),
    /space left/,
  )
  assert.deepEqual(await rowsOf(invoice.id), [])
  await makeDocumentJob.run(context(), key as never)
  const again = await rowsOf(invoice.id)
  assert.deepEqual(again[0]?.sha256, row?.sha256)
})

test('a stored document whose bytes were changed is not served', async () => {
  const { id } = await open(ada, 'manual')
  await made(ada, `/v1/billing/invoices/${id}/pdf`)
  const pdf = (await rowsOf(id)).find(({ format }) => format === 'pdf')
  const place = path.join(files, pdf?.fileKey ?? '')
  fs.appendFileSync(place, ' ')
  assert.equal((await ada.get(`/v1/billing/invoices/${id}/pdf`)).status, 503)
  fs.rmSync(place)
  assert.equal((await ada.get(`/v1/billing/invoices/${id}/pdf`)).status, 503)
  assert.equal((await ada.get(`/v1/billing/invoices/${id}/xml`)).status, 200)
})

test('the hashes of a document cannot be changed', async () => {
  const { id } = await open(ada, 'manual')
  await made(ada, `/v1/billing/invoices/${id}/pdf`)
  const change = transact(db, (tx) =>
    tx
      .updateTable('billing.document_files')
      .set({ sha256: Buffer.alloc(32) })
      .where('tenantId', '=', tenantId)
      .execute(),
  )
  await assert.rejects(change, /append-only/)
})
