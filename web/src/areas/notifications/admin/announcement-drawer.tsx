import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Confirm,
  Drawer,
  Faulty,
  MultiSelect,
  Switch,
  Textarea,
  TextInput,
  told,
} from '../../../ui/index.ts'

const products = read(['products', 'names'], (signal) =>
  client.GET('/v1/admin/products', { params: { query: { limit: 100 } }, signal }),
)

/** Writes an announcement, and asks for confirmation before it is sent. */
export function Writing({ close }: { close: () => void }) {
  const { mails } = useAdminTexts()
  const { common } = useTexts()
  const texts = mails.announcements
  const may = useMay()
  const [isAsking, ask] = useState(false)
  const known = useQuery({ ...products, enabled: may('store:read') }).data?.data ?? []
  const form = useForm({
    name: 'announcement',
    saved: {
      ...{ enTitle: '', enBody: '', frTitle: '', frBody: '', link: '' },
      ...{ mailed: false, productIds: [] as string[] },
    },
    call: (wanted, intent) => {
      const { enTitle, enBody, frTitle, frBody, link, mailed, productIds } = wanted
      return client.POST('/v1/admin/announcements', {
        body: {
          texts: {
            ...(enTitle.trim() && { en: { title: enTitle.trim(), body: enBody.trim() } }),
            ...(frTitle.trim() && { fr: { title: frTitle.trim(), body: frBody.trim() } }),
          },
          ...{ mailed, productIds },
          ...(orNull(link) && { link: link.trim() }),
        },
        ...intent,
      })
    },
    edits: null,
    changes: [['announcements']],
    done: () => {
      told(texts.sent)
      close()
    },
  })
  const { fields, set, text, flag } = form
  const isEmpty = fields.enTitle.trim() === '' && fields.frTitle.trim() === ''
  return (
    <Drawer opened onClose={close} title={texts.write}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) ask(true)
        }}
      >
        <Faulty fault={form.fault} />
        <TextInput {...text('enTitle')} label={`${texts.heading} (${texts.english})`} />
        <Textarea
          {...text('enBody')}
          label={`${texts.body} (${texts.english})`}
          autosize
          minRows={3}
        />
        <TextInput {...text('frTitle')} label={`${texts.heading} (${texts.french})`} />
        <Textarea
          {...text('frBody')}
          label={`${texts.body} (${texts.french})`}
          autosize
          minRows={3}
        />
        {may('store:read') ? (
          <MultiSelect
            label={texts.who}
            placeholder={fields.productIds.length === 0 ? texts.everybody : ''}
            searchable
            value={fields.productIds}
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(productIds) => set({ productIds })}
          />
        ) : null}
        <TextInput {...text('link')} label={texts.link} placeholder="/minecraft" />
        <Switch {...flag('mailed')} label={texts.mailed} description={texts.mailedHint} />
        {isEmpty ? <p className="sub">{texts.needsText}</p> : null}
        <div className="drawer-foot row ends">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" disabled={isEmpty}>
            {texts.send}
          </Button>
        </div>
      </form>
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        title={texts.sendTitle}
        action={texts.send}
        run={() => {
          ask(false)
          form.save()
        }}
        isRunning={form.isSaving}
      >
        {texts.sendText}
      </Confirm>
    </Drawer>
  )
}
