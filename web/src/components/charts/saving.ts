/** Give the user a file. */

export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  saveUrl(name, url)
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

export function saveUrl(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
