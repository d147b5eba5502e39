import { saveFile } from '../../api/downloads.ts'
import { useTexts } from '../../texts/index.tsx'
import { refused, told } from '../../ui/index.ts'

/** Saves a document as a file; shows a toast if it is still being created or is not available. */
export function useSave() {
  const { billing, common } = useTexts()
  return (name: string, call: Parameters<typeof saveFile>[1]) => {
    saveFile(name, call)
      .then((isSaved) => {
        if (!isSaved) told(billing.beingMade, billing.beingMadeText)
      })
      .catch((error: Error) => refused(common.refused, error.message))
  }
}
