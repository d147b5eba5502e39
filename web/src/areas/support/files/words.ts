import { useQuery } from '@tanstack/react-query'
import { type AttachmentTexts, loadAttachmentTexts } from '../../../texts/attachments.ts'
import { useLocale } from '../../../texts/index.tsx'

/** The words about files; undefined until they are loaded. */
export function useWords(): AttachmentTexts | undefined {
  const locale = useLocale()
  return useQuery({
    queryKey: ['texts', 'attachments', locale],
    queryFn: () => loadAttachmentTexts(locale),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}
