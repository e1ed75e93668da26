/** Takes a file that is dropped anywhere on the page to the view that imports it. */

import { useEffect } from "preact/hooks";
import { chosenFile } from "../import/chosen-file";
import { goTo } from "../place";
import { currentProcessor } from "../server";

/** Listens while a component is mounted. A drop on a file field stays the field's. */
export function useFileDrop(): void {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (hasFile(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined || currentProcessor.value === undefined) return;
      chosenFile.value = file;
      goTo({ view: "knowledge", processor: currentProcessor.value.id, path: ["import"], query: {} });
    };
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, []);
}

function hasFile({ dataTransfer, target }: DragEvent): boolean {
  const isField = target instanceof HTMLInputElement && target.type === "file";
  return !isField && dataTransfer !== null && dataTransfer.types.includes("Files");
}
