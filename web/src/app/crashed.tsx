import { useTexts } from '../texts/index.tsx'
import { Button, Empty, I } from '../ui/index.ts'

/** Shown in place of a screen that threw. The rest of the page still works. */
export function Crashed() {
  const { common } = useTexts()
  return (
    <div className="page">
      <Empty
        icon={I.AlertCircle}
        title={common.crashed}
        action={<Button onClick={() => location.reload()}>{common.reload}</Button>}
      >
        {common.crashedText}
      </Empty>
    </div>
  )
}
