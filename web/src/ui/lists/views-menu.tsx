import { Menu } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { useTexts } from '../../texts/index.tsx'
import * as I from '../icons.ts'
import type { TargetProps } from '../lazy-menu.tsx'
import { Listed } from '../list.tsx'
import { OpeningMenu } from '../opening-menu.tsx'
import { useListAddress } from './address.ts'
import { ManageDialog, type SavedView, ViewDialog, viewsKey } from './view-dialogs.tsx'
import type { ViewsProps } from './views-button.tsx'

/** The saved views of a list: opens one, saves the present state of the list, and manages the reader's own. */
export function ViewsMenu({ target, screen, hidden, hide }: ViewsProps & TargetProps) {
  const { views: texts } = useAdminTexts()
  const { query, open } = useListAddress()
  const list = useViews(screen)
  const [dialog, show] = useState<'save' | 'manage' | null>(null)
  const close = () => show(null)
  const state = { query, hiddenColumns: hidden }
  const choose = (view: SavedView) => {
    hide(view.hiddenColumns)
    open(view.query)
  }
  return (
    <>
      <OpeningMenu target={target} width={280} position="bottom-end" withinPortal={false}>
        <Menu.Dropdown>
          <Listed
            list={{ ...list, hasMore: false }}
            empty={<p className="pad sub">{texts.none}</p>}
          >
            {(rows) => rows.map((view) => <Entry key={view.id} {...{ view, state, choose }} />)}
          </Listed>
          {list.hasMore ? <More more={list.more} /> : null}
          <Menu.Divider />
          <Menu.Item leftSection={<I.Plus size={16} aria-hidden />} onClick={() => show('save')}>
            {texts.save}
          </Menu.Item>
          {list.rows?.some(({ own }) => own) ? (
            <Menu.Item
              leftSection={<I.Settings size={16} aria-hidden />}
              onClick={() => show('manage')}
            >
              {texts.manage}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </OpeningMenu>
      {dialog === 'save' ? <ViewDialog view={null} {...{ screen, state, close }} /> : null}
      {dialog === 'manage' ? (
        <ManageDialog
          rows={(list.rows ?? []).filter(({ own }) => own)}
          {...{ screen, state, close }}
        />
      ) : null}
    </>
  )
}

function useViews(screen: ViewsProps['screen']) {
  return useList(viewsKey(screen), (where, signal) =>
    client.GET('/v1/admin/views', { params: { query: { ...where, screen, limit: 100 } }, signal }),
  )
}

type EntryProps = {
  readonly view: SavedView
  readonly state: { readonly query: string; readonly hiddenColumns: readonly string[] }
  readonly choose: (view: SavedView) => void
}

function Entry({ view, state, choose }: EntryProps) {
  const { views: texts } = useAdminTexts()
  const isOn =
    view.query === state.query &&
    view.hiddenColumns.toSorted().join() === state.hiddenColumns.toSorted().join()
  return (
    <Menu.Item
      {...(isOn && { 'aria-current': true })}
      rightSection={isOn ? <I.Check size={15} aria-hidden /> : null}
      onClick={() => choose(view)}
    >
      {view.name}
      {view.own ? null : <div className="sub">{texts.by(view.owner ?? '')}</div>}
    </Menu.Item>
  )
}

function More({ more }: { more: () => void }) {
  const { common } = useTexts()
  return (
    <Menu.Item closeMenuOnClick={false} onClick={more}>
      {common.showMore}
    </Menu.Item>
  )
}
