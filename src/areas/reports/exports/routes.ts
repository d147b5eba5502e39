import { Type } from 'typebox'
import { badRequest } from '#lib/problem.ts'
import { DayOn, OneOf } from '#lib/schema.ts'
import { DAY_MS, dayOf, type Instant, instant, later } from '#lib/time.ts'
import { sendArchive } from '#platform/http/archive.ts'
import type { Routes } from '#platform/http/index.ts'
import { imprintOf, settingsOf } from '#tenants'
import { tags } from '../access.ts'
import { datevFiles, fecFiles } from '../accounting/files.ts'
import { prepareDatev, preparedFec } from '../accounting/ready.ts'
import { accountingSettings } from '../accounting/settings.ts'
import { papersOf } from './papers.ts'
import { tablesOf } from './tables.ts'

const ExportQuery = Type.Object({
  from: Type.Optional({
    ...DayOn,
    description: 'The first day, in UTC; by default the first of the month before this one',
  }),
  to: Type.Optional({
    ...DayOn,
    description: 'The last day, in UTC, which must be over; by default the last of that month',
  }),
  contents: Type.Optional(
    OneOf(
      ['tables', 'pdf', 'xml', 'datev', 'fec'],
      'CSV files of all documents and bookings, which is the default; the documents themselves, as PDF or as XML; ' +
        'or the bookings for the program of an accountant',
    ),
  ),
})

/** Downloads for an accountant. */
export const exportRoutes: Routes = (app, { files, log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/export',
    config: { access: 'admin', permission: 'exports:read', audited: true },
    schema: {
      tags,
      summary: 'Export the documents and bookings of a period as a ZIP archive',
      description:
        'With `contents=tables` it holds `invoices.csv`, `invoice_lines.csv`, `invoice_taxes.csv`, ' +
        '`credit_notes.csv`, `credit_note_lines.csv`, `payments.csv`, `refunds.csv`, `fees.csv` and ' +
        '`bookings.csv`. Amounts are in cents and as decimal text. Their sums are those of the tax report ' +
        'and of the ledger. The same period gives the same archive, unless documents were anonymised since. ' +
        'With `pdf` or `xml` it holds a file for each invoice and credit note, and `missing.csv` with the ' +
        'numbers of those whose file cannot be read. With `datev` it holds stacks of bookings (EXTF 700, category ' +
        '21, version 13) for each currency and fiscal year, with `fec` the sales ledger in the layout of the French ' +
        'FEC. Both need accounts that were confirmed in the settings `accounting`: 409 `accounts_not_confirmed`, and ' +
        '`accounts_incomplete` while a number is missing.',
      produces: ['application/zip'],
      querystring: ExportQuery,
      response: {
        200: {
          description: 'The archive',
          content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
        },
      },
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const { contents = 'tables' } = query
      const days = daysOf(query, now)
      const period = {
        tenantId,
        from: instant(`${days.from}T00:00:00Z`),
        to: later(instant(`${days.to}T00:00:00Z`), DAY_MS),
      }
      const filesOf = async () => {
        if (contents === 'tables') return tablesOf(db, period)
        if (contents === 'pdf') return papersOf({ db, files }, period, 'pdf')
        if (contents === 'xml') return papersOf({ db, files }, period, 'cii')
        const settings = await settingsOf(db, tenantId, accountingSettings)
        if (contents === 'fec') {
          const siren = preparedFec(settings, await imprintOf(db, tenantId))
          return fecFiles(db, period, { ...settings, siren })
        }
        await request.transact((tx) => prepareDatev(tx, tenantId, settings))
        return datevFiles(db, period, settings)
      }
      const all = await filesOf()
      const archive = { name: `${contents}-${days.from}-${days.to}`, at: period.to, files: all }
      return sendArchive(request, reply, archive, log)
    },
  })
}

type Days = { readonly from?: string; readonly to?: string }

/**
 * The first and the last day, by default of the month before this one. Throws 400 for days that end before they
 * begin, or are not over.
 */
function daysOf(asked: Days, now: Instant) {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))]
  const from = asked.from ?? dayOf(instant(Date.UTC(year, month - 2, 1)))
  const to = asked.to ?? dayOf(instant(Date.UTC(year, month - 1, 0)))
  if (to < from) throw badRequest('The last day is before the first.')
  if (to >= dayOf(now)) throw badRequest('The last day is not over yet.')
  return { from, to }
}
