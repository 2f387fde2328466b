/**
 * A script that marks the buttons pressed before the app runs, which takes seconds on a slow line. It is in the document itself, as a
 * file would arrive too late. `pressMarkedButtons` presses them as soon as they work.
 */
export const earlyPresses = `addEventListener("click",({target})=>{if("hydrating" in document.documentElement.dataset)return;const button=target.closest("button[type=button]");if(button)button.dataset.early=""},true)`;

/** From here on React handles what is pressed. */
export function endEarlyPresses(): void {
  document.documentElement.dataset.hydrating = "";
}

/** Presses each marked button once, however often it was pressed: only impatience repeats a press that shows no effect. */
export function pressMarkedButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>("button[data-early]")) {
    delete button.dataset.early;
    button.click();
  }
}
