import type { components } from '@moorage/client'
import { boot } from '../../api/boot.ts'
import { loadAdminTexts, useAdminTexts } from '../../texts/admin.tsx'
import * as I from '../icons.ts'
import { Button } from '../kit.ts'
import { LazyMenu } from '../lazy-menu.tsx'

export type ViewScreen = components['schemas']['SavedView']['screen']

export type ViewsProps = {
  readonly screen: ViewScreen
  readonly hidden: readonly string[]
  readonly hide: (hidden: readonly string[]) => void
}

/** The menu of the saved views of a list. Most visits do not need it, so it is loaded with its texts when it opens. */
export function ViewsButton(props: ViewsProps) {
  const { lists } = useAdminTexts()
  const load = async () => {
    const [{ ViewsMenu }] = await Promise.all([
      import('./views-menu.tsx'),
      loadAdminTexts(boot.locale, ['views']),
    ])
    return ViewsMenu
  }
  return (
    <LazyMenu
      load={load}
      inner={props}
      target={
        <Button
          variant="default"
          rightSection={<I.ChevronDown size={14} stroke={1.75} aria-hidden />}
        >
          {lists.views}
        </Button>
      }
    />
  )
}
