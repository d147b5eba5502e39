import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** Kinds of pending work of staff. Those of services are named after the problem. */
export const ATTENTION_KINDS = [
  ...(['dispute', 'service_failed', 'service_provisioning', 'service_transition'] as const),
  ...(['task_overdue', 'ticket', 'service_delivery'] as const),
  ...(['service_upgrade', 'service_unmanaged', 'service_renewal', 'service_unwarned'] as const),
  ...(['refund', 'difference', 'bank_entry', 'invoice_evidence', 'commission'] as const),
  ...(['gateway', 'node', 'webhook_endpoint', 'product', 'job', 'mail_server', 'mail'] as const),
  'mail_text',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const Attention = Resource('Attention', {
  items: Type.Array(
    Type.Object({
      kind: OneOf(ATTENTION_KINDS),
      tone: OneOf(['failed', 'waiting'], 'failed: something is broken; waiting: a decision is due'),
      count: Type.Integer({ minimum: 1, maximum: 1000, description: 'At most 1000' }),
      oldestAt: Nullable(Timestamp),
      deadlineAt: Nullable({
        ...Timestamp,
        description: 'Earliest deadline of these items',
      }),
    }),
    { description: 'Kinds with pending items, most urgent first' },
  ),
})
export type Attention = Static<typeof Attention>
