;;; plugboard-address.el --- Where the hub is, and who asks  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The hub writes its address into hub.json; its unix socket opens for its
;; owner alone.  A loopback address with a token of its own is the other way.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)

(defgroup plugboard nil
  "MCP servers for gptel, through the Plugboard hub."
  :group 'tools
  :prefix "plugboard-")

(defcustom plugboard-home nil
  "Folder of the hub's state, with the file hub.json.
When nil, it is found as the plug command finds it: PLUG_HOME, else the
platform's own place."
  :type '(choice (const :tag "The hub's own place" nil) directory))

(defcustom plugboard-url nil
  "Loopback address of the hub, such as \"http://127.0.0.1:4100\".
When nil, Emacs uses the hub's unix socket, which needs no token."
  :type '(choice (const :tag "The unix socket" nil) string))

(defcustom plugboard-token-file nil
  "File with the token for `plugboard-url'.
Make one with \"plug host add emacs --api\" and keep the file readable by
you alone.  Emacs reads it for each request and never stores it."
  :type '(choice (const :tag "None" nil) file))

(defcustom plugboard-folder nil
  "Folder whose project file counts, or nil for none.
Servers of that folder's mcp.json are offered beside your own."
  :type '(choice (const :tag "None" nil) directory))

(defvar plugboard-address--client-ids (make-hash-table :test #'eq)
  "Random ids under which this Emacs is known to the hub, by role.
Whoever asks for a call may not approve it, so that the model that calls
and the person who answers are two clients.")

;;; Where the hub is

(defun plugboard-address-state-folder ()
  "Return the folder of the hub.json file."
  (let ((home (or plugboard-home (getenv "PLUG_HOME"))))
    (cond
     ((and home (not (string-empty-p home))) (expand-file-name home))
     ((eq system-type 'darwin) (expand-file-name "~/Library/Application Support/Plugboard"))
     (t (let ((state (getenv "XDG_STATE_HOME")))
          (expand-file-name "plugboard" (if (and state (string-prefix-p "/" state))
                                            state
                                          "~/.local/state")))))))

(defun plugboard-address ()
  "Return where the hub listens as a plist, or signal an error."
  (if plugboard-url
      (if (string-match "\\`http://\\(127\\.0\\.0\\.1\\|localhost\\|\\[::1\\]\\):\\([0-9]+\\)/?\\'"
                        plugboard-url)
          (list :host (string-trim (match-string 1 plugboard-url) "\\[" "\\]")
                :port (string-to-number (match-string 2 plugboard-url))
                :name (format "%s:%s" (match-string 1 plugboard-url)
                              (match-string 2 plugboard-url))
                :token (plugboard-address--token))
        (error "`plugboard-url' must be a loopback address"))
    (let* ((file (expand-file-name "hub.json" (plugboard-address-state-folder)))
           (socket (and (file-readable-p file)
                        (plist-get (with-temp-buffer
                                     (insert-file-contents file)
                                     (plugboard-parse-json (buffer-string)))
                                   :socket))))
      (unless (and socket (file-exists-p socket)) (error "The hub isn't running"))
      (plugboard-address--check-owner (file-name-directory socket))
      (list :socket socket :name "localhost"))))

(defun plugboard-address--check-owner (folder)
  "Signal an error unless FOLDER is yours and closed to others."
  (let ((attributes (file-attributes folder 'integer)))
    (unless (and attributes
                 (eql (file-attribute-user-id attributes) (user-uid))
                 (string-suffix-p "------" (file-attribute-modes attributes)))
      (error "%s can be opened by others, so it isn't trusted" folder))))

(defun plugboard-address--token ()
  "Return the token in `plugboard-token-file'."
  (unless plugboard-token-file (error "Set `plugboard-token-file' to use `plugboard-url'"))
  (with-temp-buffer
    (insert-file-contents (expand-file-name plugboard-token-file))
    (string-trim (buffer-string))))

(defun plugboard-address-client (role)
  "Return the header value that names this Emacs in ROLE."
  (let ((id (or (gethash role plugboard-address--client-ids)
                (puthash role
                         (substring (secure-hash 'sha256 (format "%s%s%s%s" role (emacs-pid) (float-time)
                                                                 (random)))
                                    0 24)
                         plugboard-address--client-ids))))
    (format "editor.%s" id)))

;;; JSON

(defun plugboard-parse-json (text)
  "Parse TEXT, which is JSON, into plists and vectors."
  (condition-case problem
      (json-parse-string text :object-type 'plist :null-object :null :false-object :false)
    ((json-end-of-file json-trailing-content) (signal (car problem) (cdr problem)))
    (json-parse-error (plugboard-address--parse-slowly text))))

(defun plugboard-address--parse-slowly (text)
  "Parse TEXT as `plugboard-parse-json' does, but in Lisp.
The native parser refuses numbers of more than 64 bits and halves of
characters, such as a text that was cut may have.  Servers send both, and
neither may cost the answer in which it stands."
  (with-temp-buffer
    (insert text)
    (goto-char (point-min))
    (let* ((json-object-type 'plist) (json-array-type 'vector) (json-key-type 'keyword)
           (json-false :false) (json-null :null)
           (value (json-read)))
      (skip-chars-forward " \t\r\n")
      (unless (eobp) (signal 'json-trailing-content (list (point))))
      (plugboard-address--whole value))))

(defun plugboard-address--whole (value)
  "Return VALUE, as it was parsed, with no halves of characters."
  (cond
   ((stringp value)
    (replace-regexp-in-string (format "[%c-%c]" #xd800 #xdfff) "\ufffd" value))
   ((vectorp value) (vconcat (mapcar #'plugboard-address--whole value)))
   ((consp value) (mapcar #'plugboard-address--whole value))
   (t value)))

(defun plugboard-json (value)
  "Return VALUE as JSON text."
  (condition-case nil
      (json-serialize value :null-object :null :false-object :false)
    (args-out-of-range (plugboard-address--serialize-slowly value))))

(defun plugboard-address--serialize-slowly (value)
  "Return VALUE, with numbers of more than 64 bits, as JSON text."
  (cond
   ((bignump value) (number-to-string value))
   ((vectorp value)
    (concat "[" (mapconcat #'plugboard-address--serialize-slowly value ",") "]"))
   ((consp value)
    (concat "{"
            (mapconcat (lambda (pair)
                         (concat (json-serialize (substring (symbol-name (car pair)) 1)) ":"
                                 (plugboard-address--serialize-slowly (cadr pair))))
                       (seq-partition value 2) ",")
            "}"))
   (t (plugboard-json value))))

(defun plugboard-get (plist &rest keys)
  "Return the value in PLIST at KEYS, one inside the other.
JSON's null and false are nil."
  (let ((value plist))
    (while (and keys value)
      (setq value (and (listp value) (plist-get value (pop keys)))))
    (if (memq value '(:null :false)) nil value)))

(defun plugboard-each (vector)
  "Return the items of VECTOR, which may be nil, as a list."
  (append (if (vectorp vector) vector nil) nil))

(provide 'plugboard-address)
;;; plugboard-address.el ends here
