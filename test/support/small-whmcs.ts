import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { importFile } from '../../src/areas/imports/command.ts'
import type { TestApp } from './app.ts'
import type { Report } from './dumps.ts'

type Cell = string | number | null
/** The rows of a WHMCS by their tables; columns that are not named are as they are in `USUAL`. */
export type WhmcsRows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>

const DAY = '2020-01-01'
const NO_MONEY = '0.00'

/** Rows that are whole, of a shop without anything remarkable. */
const USUAL: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  tblconfiguration: { setting: 'Version', value: '8.3.2' },
  tblcurrencies: { id: 1, code: 'EUR', default: 1 },
  tblclients: {
    ...{ id: 1, firstname: 'Ada', lastname: 'Byron', companyname: '', email: 'ada@example.com' },
    ...{ address1: '1 Lane', address2: '', city: 'Paris', state: '', postcode: '75002' },
    ...{ country: 'FR', phonenumber: '', tax_id: '', currency: 1, credit: NO_MONEY, taxexempt: 0 },
    ...{ status: 'Active', language: '', password: '', datecreated: DAY, groupid: 0 },
    ...{ notes: '', email_verified: 0 },
  },
  tblusers: {
    ...{ id: 1, email: 'ada@example.com', password: '', email_verified_at: null },
    second_factor: '',
  },
  tblusers_clients: { id: 1, auth_user_id: 1, client_id: 1, owner: 1 },
  tblproducts: {
    ...{ id: 1, gid: 0, name: 'Server', description: '', hidden: 0, retired: 0, stockcontrol: 0 },
    ...{ qty: 0, order: 0, paytype: 'recurring', tax: 1 },
  },
  tblpricing: {
    ...{ id: 1, type: 'product', currency: 1, relid: 1, monthly: '10.00', quarterly: '-1.00' },
    ...{ semiannually: '-1.00', annually: '-1.00', biennially: '-1.00', triennially: '-1.00' },
    ...{ msetupfee: NO_MONEY, qsetupfee: NO_MONEY, ssetupfee: NO_MONEY, asetupfee: NO_MONEY },
    ...{ bsetupfee: NO_MONEY, tsetupfee: NO_MONEY },
  },
  tbltax: { id: 1, level: 1, name: 'VAT', state: '', country: '', taxrate: '20.000' },
  tblhosting: {
    ...{ id: 1, userid: 1, orderid: 0, packageid: 1, domain: 'play', firstpaymentamount: '10.00' },
    ...{ amount: '10.00', billingcycle: 'Monthly', nextduedate: '2099-01-15', regdate: DAY },
    ...{ termination_date: null, domainstatus: 'Active', qty: 1, promoid: 0 },
    ...{ subscriptionid: '', suspendreason: '', paymentmethod: 'bank' },
  },
  tblproductconfiggroups: { id: 1, name: 'Options', description: '' },
  tblproductconfiglinks: { id: 1, gid: 1, pid: 1 },
  tblproductconfigoptions: {
    ...{ id: 1, gid: 1, optionname: 'RAM', optiontype: '1', qtyminimum: 0, qtymaximum: 0 },
    ...{ order: 0, hidden: 0 },
  },
  tblproductconfigoptionssub: { id: 1, configid: 1, optionname: '4 GB', sortorder: 0, hidden: 0 },
  tblhostingconfigoptions: { id: 1, relid: 1, configid: 1, optionid: 1, qty: 0 },
  tblcancelrequests: {
    ...{ id: 1, relid: 1, date: `${DAY} 00:00:00`, reason: '', type: 'End of Billing Period' },
  },
  tblclientgroups: { id: 1, groupname: 'Friends', discountpercent: '0.00' },
  tblpromotions: {
    ...{ id: 1, code: 'LESS', type: 'Percentage', value: '10.00', recurring: 1, recurfor: 0 },
    ...{ startdate: '0000-00-00', expirationdate: '0000-00-00', maxuses: 0, uses: 0 },
    ...{ onceperclient: 0, newsignups: 0, appliesto: '1', requires: '', cycles: '' },
  },
  tblorders: {
    ...{ id: 1, ordernum: '1', userid: 1, date: DAY, amount: '10.00', invoiceid: 0 },
    ...{ status: 'Active' },
  },
  tblinvoices: {
    ...{ id: 1, userid: 1, invoicenum: '', date: DAY, duedate: DAY, datepaid: null },
    ...{ subtotal: '10.00', credit: NO_MONEY, tax: NO_MONEY, tax2: NO_MONEY, total: '10.00' },
    ...{ taxrate: '0.000', taxrate2: '0.000', status: 'Unpaid', notes: '' },
  },
  tblinvoiceitems: {
    ...{ id: 1, invoiceid: 1, userid: 1, type: '', relid: 0, description: 'A server' },
    ...{ amount: '10.00', taxed: 0 },
  },
  tblaccounts: {
    ...{ id: 1, userid: 1, currency: 0, gateway: 'bank', date: DAY, description: 'Payment' },
    ...{ amountin: '10.00', fees: NO_MONEY, amountout: NO_MONEY, transid: 't1', invoiceid: 1 },
    refundid: 0,
  },
  tblcredit: { id: 1, clientid: 1, date: DAY, description: 'A gift', amount: NO_MONEY },
  tblaffiliates: {
    id: 1,
    clientid: 1,
    date: DAY,
    visitors: 0,
    balance: NO_MONEY,
    withdrawn: NO_MONEY,
  },
  tblaffiliatesaccounts: { id: 1, affiliateid: 1, relid: 1 },
  tblaffiliateshistory: {
    ...{ id: 1, affiliateid: 1, date: DAY, affaccid: 1, description: '', amount: NO_MONEY },
  },
  tblaffiliatespending: { id: 1, affaccid: 1, amount: NO_MONEY, clearingdate: DAY },
  tblaffiliateswithdrawals: { id: 1, affiliateid: 1, date: DAY, amount: NO_MONEY },
}

/** Tables that every WHMCS has, without a row. */
const EMPTY: WhmcsRows = Object.fromEntries(
  ['tblclients', 'tblhosting', 'tblinvoices', 'tblinvoiceitems', 'tblaccounts', 'tblcredit']
    .concat(['tblorders', 'tblusers', 'tblusers_clients'])
    .concat(['tblcancelrequests', 'tblclientgroups', 'tblpromotions'])
    .map((table) => [table, []]),
)

/** The dump of a WHMCS that has just these rows, and a currency, a product and its price. */
export function smallDump(rows: WhmcsRows): Buffer {
  const address = { setting: 'SystemURL', value: 'https://whmcs.example.com/' }
  const shop = {
    tblconfiguration: [{}, address],
    tblcurrencies: [{}],
    tblproducts: [{}],
    tblpricing: [{}],
  }
  const wanted: WhmcsRows = { ...shop, ...EMPTY, ...rows }
  const statements = Object.entries(wanted).map(([table, some]) => {
    const usual = USUAL[table] ?? {}
    const columns = Object.keys(USUAL[table] ?? some[0] ?? {})
    const create = `CREATE TABLE \`${table}\` (${columns.map((it) => `\`${it}\` text`).join(', ')});`
    const tuples = some.map((row) => {
      const whole: Readonly<Record<string, Cell>> = { ...usual, ...row }
      return `(${columns.map((it) => literal(whole[it] ?? null)).join(',')})`
    })
    const insert = `INSERT INTO \`${table}\` VALUES ${tuples.join(',')};`
    return tuples.length > 0 ? `${create}\n${insert}` : create
  })
  return Buffer.from(
    `-- MySQL dump 10.13\nSET NAMES utf8mb4;\n${statements.join('\n')}\n-- Dump completed\n`,
  )
}

function literal(cell: Cell): string {
  if (cell === null) return 'NULL'
  return typeof cell === 'number' ? `${cell}` : `'${cell.replaceAll("'", "''")}'`
}

/** Imports a dump as the command line does, and answers how it ended. */
export async function importDump({ deps, tenantId }: TestApp, content: Buffer, dryRun = false) {
  const file = {
    ...{ tenantId, fileName: 'dump.sql', sizeBytes: content.length },
    sha256: createHash('sha256').update(content).digest(),
    content: () => Readable.from([content]),
  }
  const watch = { everyMs: 60_000, onProgress() {} }
  const { report, ...ended } = await importFile(deps, file, { dryRun }, watch)
  return { ...ended, report: report as unknown as Report }
}
