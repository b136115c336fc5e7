;;; gptel.el --- Stands in for gptel in tests  -*- lexical-binding: t; -*-

;;; Commentary:

;; Only the signatures that the package uses, written for these tests: how
;; tools are made and found, and how one is dispatched: by bare name, with
;; the user's setting and the tool's own word about confirmation.

;;; Code:

(require 'cl-lib)

(cl-defstruct (gptel-tool (:constructor gptel-standin--make))
  function name description args async category confirm include)

(defvar gptel-tools nil)
(defvar gptel-confirm-tool-calls 'auto)
(defvar gptel-pre-tool-call-functions nil)
(defvar gptel-model 'stand-in)
(defvar gptel--known-tools nil)

(defvar gptel-standin-prompts nil "Names of tools for which confirmation was asked.")
(defvar gptel-standin-confirm t "What the person answers when asked.")
(defvar gptel-standin-reply "Hello." "What the model answers to a request.")

(defun gptel-make-tool (&rest slots)
  "Make a tool from SLOTS and register it by category and name."
  (let* ((tool (apply #'gptel-standin--make slots))
         (category (or (gptel-tool-category tool) "misc"))
         (group (or (assoc category gptel--known-tools)
                    (car (push (list category) gptel--known-tools))))
         (old (assoc (gptel-tool-name tool) (cdr group))))
    (if old (setcdr old tool)
      (setcdr group (append (cdr group) (list (cons (gptel-tool-name tool) tool)))))
    tool))

(defun gptel-get-tool (path)
  "Return the tool at PATH: a category and a name, or a name."
  (if (consp path)
      (cdr (assoc (cadr path) (cdr (assoc (car path) gptel--known-tools))))
    (cl-loop for (_ . tools) in gptel--known-tools thereis (cdr (assoc path tools)))))

(defun gptel (name &rest _)
  "Open a chat buffer called NAME."
  (interactive "sName: ")
  (get-buffer-create name))

;; As gptel restores the tools of a chat that was saved.
(defvar-local gptel--tool-names nil)
(define-minor-mode gptel-mode
  "Be a chat."
  :global nil
  (when (and gptel-mode buffer-file-name gptel--tool-names)
    (setq-local gptel-tools (delq nil (mapcar #'gptel-get-tool gptel--tool-names)))))

(defun gptel-abort (&optional _buffer) "Do nothing.")

(cl-defun gptel-request (_prompt &key callback &allow-other-keys)
  "Answer through CALLBACK with what the test says."
  (funcall callback gptel-standin-reply nil))

(defun gptel-standin-dispatch (name args callback)
  "Run the tool NAME with ARGS, a plist, as gptel does; answer CALLBACK."
  (let* ((tool (cl-find name gptel-tools :key #'gptel-tool-name :test #'equal))
         (told (cl-loop for hook in gptel-pre-tool-call-functions
                        thereis (funcall hook (list :name name :args args))))
         (confirm (cond ((plist-member told :confirm) (plist-get told :confirm))
                        (gptel-confirm-tool-calls
                         (or (eq gptel-confirm-tool-calls t) (gptel-tool-confirm tool))))))
    (cond
     ((null tool) (funcall callback (format "no tool %s" name)))
     ((plist-get told :block) (funcall callback (plist-get told :block)))
     (t
      (when confirm (push name gptel-standin-prompts))
      (if (and confirm (not gptel-standin-confirm))
          (funcall callback "canceled in gptel")
        (apply (gptel-tool-function tool) callback
               (mapcar (lambda (arg) (plist-get args (intern (concat ":" (plist-get arg :name)))))
                       (gptel-tool-args tool))))))))

(provide 'gptel)
;;; gptel.el ends here
