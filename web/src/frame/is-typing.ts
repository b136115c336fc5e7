/** Whether letters mean letters there: fields, and lists that jump to what is typed. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest(
      'input, textarea, select, [role="menu"], [role="listbox"], [role="combobox"], [role="dialog"], [role="alertdialog"]',
    ) !== null
  );
}
