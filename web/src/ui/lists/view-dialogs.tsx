import type { components } from '@moorage/client'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useForm } from '../../api/forms.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Modal, RemoveButton } from '../dialog.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { Button, Checkbox, TextInput } from '../kit.ts'
import { Tag } from '../parts.tsx'
import { Table } from '../table.tsx'
import { told } from '../toast.ts'
import type { ViewScreen } from './views-button.tsx'

export type SavedView = components['schemas']['SavedView']

/** The key of the read of the views of a list. */
export function viewsKey(screen: ViewScreen) {
  return ['admin', 'views', screen] as const
}

type Props = {
  readonly screen: ViewScreen
  /** What the list shows now. */
  readonly state: { readonly query: string; readonly hiddenColumns: readonly string[] }
  readonly close: () => void
}

/** Saves what the list shows as a new view, or changes a view of the reader. */
export function ViewDialog({ view, screen, state, close }: Props & { view: SavedView | null }) {
  const { views: texts } = useAdminTexts()
  const { common } = useTexts()
  const params = { path: { id: view?.id ?? '' } }
  const fieldsOf = (it: SavedView | null) => ({ name: it?.name ?? '', shared: it?.shared ?? false })
  const [isReplaced, replace] = useState(false)
  const shown = { query: state.query, hiddenColumns: [...state.hiddenColumns] }
  const form = useForm({
    name: `view:${screen}:${view?.id ?? 'new'}`,
    saved: fieldsOf(view),
    call: ({ name, shared }, intent) => {
      const body = { name: name.trim(), shared }
      return view
        ? client.PATCH('/v1/admin/views/{id}', {
            ...{ params, ...intent },
            body: { ...body, ...(isReplaced && shown) },
          })
        : client.POST('/v1/admin/views', { body: { ...body, ...shown, screen }, ...intent })
    },
    edits: view && { read: () => client.GET('/v1/admin/views/{id}', { params }), fieldsOf },
    changes: [viewsKey(screen)],
    done: () => {
      told(texts.saved)
      close()
    },
  })
  const { fields, set, text } = form
  return (
    <FormDialog
      title={view ? view.name : texts.save}
      {...{ form, close }}
      save={common.save}
      removal={view ? <Removal {...{ view, screen, close }} /> : null}
    >
      {view ? null : <p className="dim">{texts.saveText}</p>}
      <TextInput {...text('name')} label={texts.name} maxLength={60} required data-autofocus />
      <Checkbox
        label={texts.share}
        description={texts.shareText}
        checked={fields.shared}
        onChange={({ currentTarget }) => set({ shared: currentTarget.checked })}
      />
      {view ? (
        <Checkbox
          label={texts.replace}
          checked={isReplaced}
          onChange={({ currentTarget }) => replace(currentTarget.checked)}
        />
      ) : null}
    </FormDialog>
  )
}

/** The reader's own views of a list; each opens in a form. */
export function ManageDialog({ rows, ...props }: Props & { rows: readonly SavedView[] }) {
  const { views: texts } = useAdminTexts()
  const { common } = useTexts()
  const [edited, edit] = useState<SavedView | null>(null)
  if (edited) return <ViewDialog {...props} view={edited} close={() => edit(null)} />
  return (
    <Modal opened onClose={props.close} title={texts.manageTitle}>
      <div className="stack">
        {rows.length === 0 ? (
          <p className="dim">{texts.none}</p>
        ) : (
          <Table
            caption={texts.manageTitle}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                head: texts.name,
                cell: (view) => (
                  <button type="button" className="plain-link strong" onClick={() => edit(view)}>
                    {view.name}
                  </button>
                ),
              },
              {
                ...{ head: texts.sharing, small: 'second' },
                cell: ({ shared }) => (shared ? <Tag tone="active">{texts.shared}</Tag> : null),
              },
            ]}
          />
        )}
        <div className="row ends">
          <Button variant="default" onClick={props.close}>
            {common.close}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

function Removal({ view, screen, close }: Omit<Props, 'state'> & { view: SavedView }) {
  const { views: texts } = useAdminTexts()
  const params = { path: { id: view.id } }
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeTitle(view.name)}
      call={() => client.DELETE('/v1/admin/views/{id}', { params })}
      changes={[viewsKey(screen)]}
      told={texts.removed}
      done={close}
    >
      {view.shared ? texts.removeShared : texts.removeText}
    </RemoveButton>
  )
}
