import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { AT_WILL, KINDS, POLICIES } from '../src/areas/notifications/preferences/policy.ts'
import { LANGUAGES } from '../src/areas/notifications/texts/index.ts'
import type { Kind, MailKind } from '../src/areas/notifications/texts/kinds.ts'

/**
 * Who causes a mail. `visitor`: anybody, without an account. `customer`: whoever has an account, by what they
 * do. `staff`: with a permission. `shop`: what happens to invoices, services and money in the course of time.
 */
type By = 'visitor' | 'customer' | 'staff' | 'shop'

/**
 * Where it goes. `any`: to an address that its cause names. `account`: to the address of an account, which may
 * be somebody else's until it is confirmed. `confirmed`: to one that its owner has confirmed. `staff`: to staff.
 */
type To = 'any' | 'account' | 'confirmed' | 'staff'

/** Settings that limit it (`section.name`), or what else does. */
type Limit =
  | readonly string[]
  | 'money'
  | 'once a day'
  | 'hourly'
  | 'factor'
  | 'permission'
  | 'event'

type Cause = { readonly by: By; readonly to: To; readonly limit: Limit }

const AT_WILL_OF_OWNER: Cause = {
  by: 'customer',
  to: 'account',
  limit: ['limits.unconfirmedNotices'],
}
/** Each is about money that arrived, or went back. */
const OF_MONEY: Cause = { by: 'customer', to: 'account', limit: 'money' }
/** A service is paid, or one of the few that a customer may have before that. */
const OF_SERVICE: Cause = {
  by: 'customer',
  to: 'account',
  limit: ['orders.maxOpenServices', 'orders.maxUnpaidOrdersPerDay'],
}
/** A date has come: once per invoice, service or price. */
const OF_TIME: Cause = { by: 'shop', to: 'account', limit: 'event' }
const BY_STAFF: Cause = { by: 'staff', to: 'account', limit: 'permission' }
/** Passkeys, codes and linked accounts are for confirmed addresses only. */
const OF_FACTORS: Cause = { by: 'customer', to: 'confirmed', limit: 'factor' }
/** How many tickets and messages a customer may write is limited as well (`LIMITS`). */
const OF_TICKETS: Cause = { by: 'customer', to: 'staff', limit: 'hourly' }

const CAUSES: Readonly<Record<Kind | MailKind, Cause | 'never mailed'>> = {
  verify_email: {
    ...{ by: 'visitor', to: 'any' },
    limit: ['limits.registrationsPerNetwork', 'limits.linksPerAccount'],
  },
  reset_password: { by: 'visitor', to: 'account', limit: ['limits.linksPerAccount'] },
  account_created: { by: 'staff', to: 'any', limit: ['limits.accountsPerStaffMember'] },
  service_invitation: {
    ...{ by: 'customer', to: 'any' },
    limit: ['limits.invitationsPerService', 'limits.invitationsPerPerson'],
  },
  email_change_requested: {
    ...{ by: 'customer', to: 'account' },
    limit: ['limits.addressChangesPerAccount'],
  },
  email_changed: { by: 'customer', to: 'account', limit: ['limits.addressChangesPerAccount'] },
  staff_message: BY_STAFF,
  mail_test: { by: 'staff', to: 'staff', limit: 'permission' },
  more_attention: { by: 'shop', to: 'staff', limit: 'hourly' },
  registration_attempted: { by: 'visitor', to: 'account', limit: 'once a day' },
  invitation: {
    ...{ by: 'customer', to: 'confirmed' },
    limit: ['limits.invitationsPerService', 'limits.invitationsPerPerson'],
  },
  password_changed: AT_WILL_OF_OWNER,
  session_stolen: AT_WILL_OF_OWNER,
  application_stolen: AT_WILL_OF_OWNER,
  account_connected: AT_WILL_OF_OWNER,
  account_disconnected: AT_WILL_OF_OWNER,
  vat_number_invalid: AT_WILL_OF_OWNER,
  payment_failed: AT_WILL_OF_OWNER,
  payment_action_required: AT_WILL_OF_OWNER,
  service_reinstalled: AT_WILL_OF_OWNER,
  service_reinstall_failed: AT_WILL_OF_OWNER,
  server_crashed: AT_WILL_OF_OWNER,
  second_factor_added: OF_FACTORS,
  second_factor_removed: OF_FACTORS,
  recovery_codes_made: OF_FACTORS,
  recovery_code_used: OF_FACTORS,
  passkey_copied: OF_FACTORS,
  credit_added: OF_MONEY,
  invoice_paid: OF_MONEY,
  refund_made: OF_MONEY,
  out_of_stock_credit: OF_MONEY,
  upgrade_failed: OF_SERVICE,
  upgrade_waiting: OF_SERVICE,
  service_active: OF_SERVICE,
  service_failed: OF_SERVICE,
  delivery_begun: OF_SERVICE,
  service_ended: OF_SERVICE,
  service_reactivated: OF_SERVICE,
  service_upgraded: OF_SERVICE,
  service_suspended: OF_TIME,
  service_ending: OF_TIME,
  renewal_invoice: OF_TIME,
  payment_reminder: OF_TIME,
  price_change: OF_TIME,
  commission_earned: OF_TIME,
  commission_available: OF_TIME,
  commission_reversed: OF_TIME,
  commission_restored: OF_TIME,
  invoice_sent: BY_STAFF,
  order_placed: BY_STAFF,
  free_days: BY_STAFF,
  impersonated: BY_STAFF,
  announcement: BY_STAFF,
  admin_attention: { by: 'shop', to: 'staff', limit: 'hourly' },
  // Staff write, or have added whoever writes.
  ticket_opened: BY_STAFF,
  ticket_answered: BY_STAFF,
  ticket_closed: BY_STAFF,
  ticket_closing: OF_TIME,
  // Once for each update of an incident that staff write.
  incident_opened: BY_STAFF,
  incident_updated: BY_STAFF,
  incident_resolved: BY_STAFF,
  maintenance_planned: BY_STAFF,
  maintenance_changed: BY_STAFF,
  ticket_assigned: { by: 'staff', to: 'staff', limit: 'permission' },
  ticket_new: OF_TICKETS,
  ticket_customer_replied: OF_TICKETS,
  mail_undeliverable: 'never mailed',
}

const ALL: readonly string[] = [...KINDS, ...Object.keys(LANGUAGES.en.texts.mails)]
const mailed = Object.entries(CAUSES).flatMap(([kind, cause]) =>
  cause === 'never mailed' ? [] : [{ kind, ...cause }],
)

test('every kind of mail says who causes it, to which address, and what limits it', () => {
  assert.deepEqual(Object.keys(CAUSES).sort(), ALL.toSorted())
  for (const kind of KINDS) {
    assert.equal(CAUSES[kind] === 'never mailed', POLICIES[kind].email === 'never', kind)
  }
})

test('the settings that limit mails exist, and are limits by default', () => {
  const sections = new Map(
    areas.flatMap(({ settings = [] }) => settings.map(({ name, schema }) => [name, schema])),
  )
  for (const { kind, limit } of mailed) {
    for (const setting of Array.isArray(limit) ? limit : []) {
      const [section = '', name = ''] = setting.split('.')
      const known = sections.get(section)?.properties[name] as { default?: unknown } | undefined
      assert.ok(Number.isInteger(known?.default), `${kind}: there is no limit ${setting}`)
    }
  }
})

test('mails to addresses that their cause names are limited by settings', () => {
  const toStrangers = mailed.filter(({ to }) => to === 'any')
  assert.deepEqual(toStrangers.map(({ kind }) => kind).sort(), [
    ...['account_created', 'service_invitation', 'verify_email'],
  ])
  for (const { kind, limit } of toStrangers) {
    assert.ok(Array.isArray(limit), `${kind} goes to any address without a limit`)
    for (const setting of limit) assert.match(setting, /^limits\./, kind)
  }
})

test('mails that an account causes at will are few to an address that is not confirmed', () => {
  const atWill = mailed.filter(({ limit }) => limit === AT_WILL_OF_OWNER.limit)
  assert.deepEqual(atWill.map(({ kind }) => kind).sort(), [...AT_WILL].sort())
})

test('docs/mail.md says of every kind of mail who causes it', () => {
  const text = fs.readFileSync(new URL('../docs/mail.md', import.meta.url), 'utf8')
  const section = text.split('## Who causes a mail')[1]?.split('\n## ')[0] ?? ''
  for (const { kind, limit } of mailed) {
    const row = section.split('\n').find((line) => line.includes(`\`${kind}\``))
    assert.ok(row, `docs/mail.md does not name ${kind}`)
    for (const setting of Array.isArray(limit) ? limit : []) {
      assert.ok(row.includes(`\`${setting}\``), `docs/mail.md does not name ${setting} for ${kind}`)
    }
  }
})
