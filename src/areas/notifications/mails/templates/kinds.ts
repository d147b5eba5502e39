import type { Facts, Kind, MailFacts, MailKind } from '../../texts/kinds.ts'

/** Mails that consist of the words of the shop already, go to staff only, or are never sent. */
type FixedKind =
  | 'admin_attention'
  | 'announcement'
  | 'incident_opened'
  | 'incident_resolved'
  | 'incident_updated'
  | 'mail_test'
  | 'mail_undeliverable'
  | 'maintenance_changed'
  | 'maintenance_planned'
  | 'more_attention'
  | 'staff_message'
  | 'ticket_assigned'
  | 'ticket_customer_replied'
  | 'ticket_new'

/** The facts of each kind of notification and of each mail. */
export type AllFacts = Facts & MailFacts

/** A kind of mail whose subject and text a shop can write itself. */
export type TemplateKind = Exclude<Kind | MailKind, FixedKind>

/** The subject and text that a shop wrote, with placeholders. */
export type Template = { readonly subject: string; readonly text: string }

/** The value of each placeholder in one mail; null for one without a value there. */
export type Values = Readonly<Record<string, string | null>>
