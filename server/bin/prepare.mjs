// What `npm start` runs first. Plain JavaScript, so that an old Node can at least read it.
const { node: version } = process.versions;
const [major, minor] = version.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 19)) await import("../src/build/build.ts");
else {
  console.error(
    `Tandem needs Node.js 22.19 or later, but found ${version}, and no Node.js package from npm fits this system or it was left out; install a newer Node.js.`,
  );
  process.exitCode = 1;
}
