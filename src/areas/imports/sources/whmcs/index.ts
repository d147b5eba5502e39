import type { Source } from '../source.ts'
import { hostOf } from '../values.ts'
import { tables } from './tables.ts'

/** WHMCS, in the format of versions 7 and 8. */
export const whmcs: Source = {
  system: 'whmcs',
  knownBy: {
    tblclients: ['id', 'firstname', 'lastname', 'email', 'currency'],
    tblhosting: ['userid', 'packageid', 'billingcycle'],
    tblinvoices: ['userid', 'subtotal', 'total', 'status'],
    tblproducts: ['gid', 'paytype'],
    tblconfiguration: ['setting', 'value'],
  },
  tables,
  needed: [
    ...['tblaccounts', 'tblcredit', 'tblcurrencies', 'tblinvoiceitems', 'tblorders', 'tblpricing'],
    // They decide what a customer is charged.
    ...['tblcancelrequests', 'tblclientgroups', 'tblpromotions'],
  ],
  neededSince: { major: 8, tables: ['tblusers', 'tblusers_clients'] },
  settings: {
    table: 'tblconfiguration',
    name: 'setting',
    value: 'value',
    wanted: ['Version', 'TaxType', 'TaxL2Compound', 'TaxEnabled', 'SystemURL'],
  },
  settled: ['cancellations', 'discounts'],
  describe: (settings) => ({
    version: settings.get('Version') ?? null,
    taxMode: settings.get('TaxType') === 'Inclusive' ? 'inclusive' : 'exclusive',
    taxed: !settings.has('TaxEnabled') || /^(?:on|1)$/i.test(settings.get('TaxEnabled') ?? ''),
    installation: hostOf(settings.get('SystemURL')),
  }),
}
