import type { News } from '../../api/lists.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import * as I from '../icons.ts'
import { Button } from '../kit.ts'

/** The button that shows the entries that came after the list was loaded. */
export function NewsButton({ news: { count, isAtLeast, show } }: { news: News }) {
  const { views } = useAdminTexts()
  return (
    <Button
      size="xs"
      radius="xl"
      leftSection={<I.Refresh size={14} stroke={1.75} aria-hidden />}
      onClick={show}
    >
      {count > 0 ? views.news(count, isAtLeast) : views.changed}
    </Button>
  )
}
