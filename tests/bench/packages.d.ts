// Stands for the packages that the benchmark installs, so that types do not depend on whether it has run.
declare const anything: any;
export = anything;
