<?php
/** A call that was refused, or that got no answer. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

final class Tillkit_Error {

	/** @var string */
	public $code;

	/** @var string One sentence for a person, as plain text. */
	public $message;

	/** @var int The HTTP status; 0 where there is none. */
	public $status;

	/** @var array<string,mixed> What the protocol says beside it, such as `now`. */
	public $data;

	public function __construct( string $code, string $message, int $status = 0, array $data = array() ) {
		$this->code    = $code;
		$this->message = $message;
		$this->status  = $status;
		$this->data    = $data;
	}
}
