;;; package-tests.el --- The package itself  -*- lexical-binding: t; -*-

;;; Commentary:

;; What package archives ask for: no warning of the compiler or of checkdoc,
;; headers, and nothing that is needed to load but Emacs itself.

;;; Code:

(require 'ert)
(require 'bytecomp)
(require 'checkdoc)
(require 'lisp-mnt)
(require 'seq)

(defconst package-folder (file-name-directory (locate-library "plugboard")))
(defconst package-files (directory-files package-folder t "\\`[^.].*\\.el\\'"))

(ert-deftest package-compiles-without-warnings ()
  "Every file compiles without a warning, with neither gptel nor transient there."
  (let ((folder (make-temp-file "plugboard-compiled-" t)))
    (unwind-protect
        (let ((byte-compile-dest-file-function
               (lambda (file) (expand-file-name (concat (file-name-base file) ".elc") folder)))
              (byte-compile-error-on-warn nil))
          (dolist (file package-files)
            (should (byte-compile-file file))
            (when-let ((log (get-buffer byte-compile-log-buffer)))
              (with-current-buffer log
                (should-not (string-match-p "\\(?:Warning\\|Error\\):" (buffer-string)))))))
      (delete-directory folder t))))

(ert-deftest package-has-no-complaint-of-checkdoc ()
  "Checkdoc has nothing to say about any file."
  (let ((said nil))
    (cl-letf (((symbol-function 'checkdoc-create-error)
               (lambda (text &rest _) (push text said) nil)))
      (dolist (file package-files)
        (with-current-buffer (find-file-noselect file)
          (let ((checkdoc-spellcheck-documentation-flag nil)) (checkdoc-current-buffer t))
          (kill-buffer))))
    (should-not said)))

(ert-deftest package-headers ()
  "The main file says what archives read; every file names its license and ends as files of Emacs do."
  (with-temp-buffer
    (insert-file-contents (expand-file-name "plugboard.el" package-folder))
    (should (lm-version))
    (should (equal "MIT" (lm-header "SPDX-License-Identifier")))
    (should (equal '((emacs "28.1")) (car (read-from-string (lm-header "package-requires")))))
    (should (lm-homepage))
    (should (lm-commentary)))
  (dolist (file package-files)
    (with-temp-buffer
      (insert-file-contents file)
      (should (search-forward "lexical-binding: t" (line-end-position) t))
      (should (search-forward "SPDX-License-Identifier: MIT" nil t))
      (should (search-forward (format "\n(provide '%s)\n;;; %s ends here\n" (file-name-base file)
                                      (file-name-nondirectory file))
                              nil t))
      (should (eobp))
      (should (<= (count-lines (point-min) (point-max)) 400)))))

(ert-deftest package-loads-without-gptel ()
  "The package loads, and its mode turns on, with built-ins alone."
  (should-not (featurep 'gptel))
  (require 'plugboard)
  (should-not (featurep 'gptel))
  (should-not (featurep 'transient)))

(ert-deftest package-waits-in-one-command-alone ()
  "Only `plugboard-wait-until-ready' waits; nothing else calls what could block."
  (dolist (file package-files)
    (with-temp-buffer
      (insert-file-contents file)
      (goto-char (point-min))
      (while (re-search-forward
              "(\\(accept-process-output\\|sleep-for\\|sit-for\\|call-process\\|url-retrieve-synchronously\\|shell-command\\)\\_>"
              nil t)
        (should (eq 'plugboard-wait-until-ready
                    (save-excursion (beginning-of-defun) (nth 1 (read (current-buffer))))))))))

(provide 'package-tests)
;;; package-tests.el ends here
