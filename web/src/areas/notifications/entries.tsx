import type { components } from '@moorage/client'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { I, type Icon, Timeline, type Tone, useFormats } from '../../ui/index.ts'

type Notification = components['schemas']['Notification']

/** The icon and tone of each kind: the first match. */
const LOOKS: readonly (readonly [RegExp, Icon, Tone])[] = [
  [
    /failed|suspended|crashed|invalid|undeliverable|stolen|incident_opened/,
    I.AlertTriangle,
    'failed',
  ],
  [/paid|active|reactivated|upgraded|credit/, I.CircleCheck, 'active'],
  [/invoice|payment|refund|price/, I.FileInvoice, 'waiting'],
  [/password|factor|passkey|recovery|session|account/, I.ShieldLock, 'ended'],
  [/invitation|commission/, I.UserPlus, 'ended'],
]

/** Pages that the server makes: the application has no screen for them. */
const SHOP_PAGES = /^\/(?:orders|status|help|news)(?:\/|$)/

/** Notifications by time; opening one marks it as read. */
export function Entries({ notifications }: { notifications: readonly Notification[] }) {
  const texts = useTexts()
  const { ago } = useFormats()
  const navigate = useNavigate()
  const mark = useAction(
    (id: string, intent) =>
      client.POST('/v1/notifications/{id}/read', { params: { path: { id } }, ...intent }),
    { changes: [['notifications']] },
  )
  const open = (event: MouseEvent, { id, link, readAt }: Notification) => {
    if (!readAt) mark.mutate(id)
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    const url = new URL(link, location.origin)
    if (url.origin !== location.origin || SHOP_PAGES.test(url.pathname)) return
    event.preventDefault()
    void navigate({ href: url.pathname + url.search + url.hash })
  }
  return (
    <Timeline
      entries={notifications.map((it) => {
        const [, icon, tone] = LOOKS.find(([kinds]) => kinds.test(it.kind)) ?? [
          null,
          I.Bell,
          'ended',
        ]
        const words = (
          <>
            {it.title}
            {it.readAt ? null : <span className="sr"> ({texts.notifications.unread})</span>}
          </>
        )
        const look = it.readAt ? 'note' : 'note strong'
        return {
          ...{ key: it.id, icon, tone: tone as Tone, when: ago(it.createdAt) },
          what: (
            <>
              {it.link ? (
                <a href={it.link} className={look} onClick={(event) => open(event, it)}>
                  {words}
                </a>
              ) : (
                <span className={look}>{words}</span>
              )}
              <span className="sub block">{it.body}</span>
            </>
          ),
        }
      })}
    />
  )
}
