<?php
/** A call that was refused or got no answer, and a write that must not be made. */

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

/**
 * What a write is based on may no longer be true. An Error and no Exception, because the platforms catch every exception of a hook and go on
 * with the write.
 */
final class Tillkit_Stale_Write extends Error {}
