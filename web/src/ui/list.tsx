import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Button } from './kit.ts'
import { Failed, Loading } from './states.tsx'

type ListProps<Row> = {
  readonly list: {
    readonly rows: readonly Row[] | null
    readonly error: Error | null
    readonly hasMore: boolean
    readonly isLoadingMore: boolean
    readonly again: () => void
    readonly more: () => void
  }
  /** Shown if the list is empty. */
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** A list in each of its states, with the button for its next page. */
export function Listed<Row>({ list, empty, children }: ListProps<Row>) {
  const { common } = useTexts()
  const { rows, error, hasMore, isLoadingMore, again, more } = list
  if (rows === null) return error ? <Failed error={error} again={again} /> : <Loading />
  if (rows.length === 0) return empty
  return (
    <>
      {children(rows)}
      {hasMore ? (
        <div className="more">
          <Button variant="default" loading={isLoadingMore} onClick={more}>
            {common.showMore}
          </Button>
        </div>
      ) : null}
    </>
  )
}
