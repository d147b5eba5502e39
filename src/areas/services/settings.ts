import { Type } from 'typebox'
import { settings } from '#tenants'

const Days = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 365, default: fallback, description })

const DayList = (fallback: number[], minimum: number, description: string) =>
  Type.Array(Type.Integer({ minimum, maximum: 365 }), {
    ...{ default: fallback, maxItems: 10, uniqueItems: true, description },
  })

/** How a tenant bills services again and again, and what happens when nobody pays (R4.4 to R4.9). */
export const serviceSettings = settings(
  'services',
  Type.Object({
    weekLeadDays: Days(2, 'A weekly period is invoiced so many days ahead'),
    monthLeadDays: Days(7, 'A monthly period is invoiced so many days ahead'),
    longerLeadDays: Days(14, 'A longer period is invoiced so many days ahead'),
    chargeDays: DayList([0, 1, 3, 7], 0, 'Days after the due date to charge a saved method'),
    reminderDays: DayList([-3, 0, 1, 3, 10], -60, 'Days after the due date to send reminders'),
    suspendDays: Days(3, 'Days after the due date until an unpaid service is suspended'),
    terminateDays: Days(14, 'Days after the due date until an unpaid service is ended'),
    deleteDataDays: Days(7, 'Days for which the data of an ended service is kept'),
    unpaidRenewal: Type.Union([Type.Literal('void'), Type.Literal('write_off')], {
      default: 'void',
      description: 'What becomes of the unpaid invoice of a service that is ended',
    }),
    creditOnCancel: Type.Boolean({
      default: false,
      description: 'Who cancels at once gets credit for the time that is left',
    }),
    prorationMode: Type.Union([Type.Literal('second'), Type.Literal('day')], {
      default: 'second',
      description: 'Whether unused time counts by the second or by the UTC day',
    }),
    immediateCredit: Type.Boolean({
      default: false,
      description: 'A change to a cheaper plan happens at once, and the difference becomes credit',
    }),
    suspendOnDispute: Type.Boolean({
      default: true,
      description: 'A service whose payment was taken back by the bank is suspended at once',
    }),
  }),
)
