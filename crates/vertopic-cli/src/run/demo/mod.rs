//! `vertopic demo`: the main job on built-in data.

mod notes;

use std::path::Path;

use vertopic_io::IoError;

use crate::failure::Failure;
use crate::flags::DemoFlags;
use crate::lab;
use crate::output;
use crate::run::Shell;

pub(crate) fn demo(flags: &DemoFlags) -> Result<(), Failure> {
    let shell = Shell::new(&flags.run);
    let ctx = shell.run()?;
    if let Some(folder) = &flags.out {
        std::fs::create_dir_all(folder).map_err(|source| IoError::File {
            path: folder.clone(),
            what: "cannot create",
            source,
        })?;
    }
    let out = flags.out.as_deref();
    if let Some(text) = lab::swimmer(out, &ctx)? {
        output::data(&text)?;
    }
    output::data(&notes::show(out, &ctx)?)?;
    output::data(&closing(out))
}

fn closing(out: Option<&Path>) -> String {
    let written = out.map_or_else(String::new, |folder| {
        format!("The corpora and models are in {}.\n\n", folder.display())
    });
    format!(
        "{written}For your own documents:\n\
         \n\
         \x20 vertopic fit my-docs/                        # or .txt, .csv, .jsonl, counts, …\n\
         \x20 vertopic topics model.safetensors            # the topics\n\
         \x20 vertopic infer model.safetensors my-docs/    # the mixture of every document\n\
         \x20 vertopic --help\n"
    )
}
