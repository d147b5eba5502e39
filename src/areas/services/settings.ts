import { Type } from 'typebox'
import { settings } from '#tenants'

const Days = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 365, default: fallback, description })

const DayList = (fallback: number[], minimum: number, description: string) =>
  Type.Array(Type.Integer({ minimum, maximum: 365 }), {
    ...{ default: fallback, maxItems: 10, uniqueItems: true, description },
  })

/**
 * How a tenant bills services periodically, and what happens if an invoice is not paid (R4.4 to R4.9).
 */
export const serviceSettings = settings(
  'services',
  Type.Object({
    weekLeadDays: Days(2, 'Days before a weekly period at which it is invoiced'),
    monthLeadDays: Days(7, 'Days before a monthly period at which it is invoiced'),
    longerLeadDays: Days(14, 'Days before a longer period at which it is invoiced'),
    chargeDays: DayList([0, 1, 3, 7], 0, 'Days after the due date to charge a saved method'),
    reminderDays: DayList([-3, 0, 1, 3, 10], -60, 'Days after the due date to send reminders'),
    suspendDays: Days(3, 'Days after the due date until an unpaid service is suspended'),
    terminateDays: Days(14, 'Days after the due date until an unpaid service is ended'),
    deleteDataDays: Days(7, 'Days for which the data of an ended service is kept'),
    unpaidRenewal: Type.Union([Type.Literal('void'), Type.Literal('write_off')], {
      default: 'void',
      description: 'What happens to the unpaid invoice of a service that ends',
    }),
    creditOnCancel: Type.Boolean({
      default: false,
      description: 'An immediate cancellation gives credit for the unused time',
    }),
    prorationMode: Type.Union([Type.Literal('second'), Type.Literal('day')], {
      default: 'second',
      description: 'Whether unused time is counted in seconds or in UTC days',
    }),
    immediateCredit: Type.Boolean({
      default: false,
      description:
        'A change to a cheaper plan takes effect immediately, and the difference becomes credit',
    }),
    suspendOnDispute: Type.Boolean({
      default: true,
      description: 'Suspend a service immediately when the bank takes its payment back',
    }),
    refundFailed: Type.Union(
      [Type.Literal('off'), Type.Literal('credit'), Type.Literal('payment')],
      {
        default: 'off',
        description: 'Where the money of a service that could not be set up goes without staff',
      },
    ),
    refundFailedAfterHours: Type.Integer({
      ...{ minimum: 1, maximum: 720, default: 24 },
      description: 'Hours after the failure until it is refunded without staff',
    }),
    refundFailedPerDay: Type.Integer({
      ...{ minimum: 1, maximum: 1000, default: 20 },
      description: 'At most so many such refunds in 24 hours; then staff decide',
    }),
  }),
)
