<?php
/** The few classes of the new administration that the module uses. */

namespace PrestaShop\PrestaShop\Adapter {
	/** Its session has flash messages. */
	final class SymfonyContainer {
		/** @var string[] */
		public static $flashes = array();

		public static function getInstance(): self {
			return new self();
		}

		public function get( string $service ): self {
			if ( 'request_stack' !== $service ) {
				throw new \Error( "The service $service is gone in PrestaShop 9." );
			}
			return $this;
		}

		public function getCurrentRequest(): self {
			return $this;
		}

		public function getSession(): self {
			return $this;
		}

		public function getFlashBag(): self {
			return $this;
		}

		public function add( string $kind, string $text ): void {
			self::$flashes[] = "$kind: $text";
		}
	}
}

namespace PrestaShop\PrestaShop\Core\Payment {
	final class PaymentOption {
		/** @var array */
		public $set = array();

		public function __call( string $name, array $values ): self {
			$this->set[ substr( $name, 3 ) ] = $values[0];
			return $this;
		}
	}
}

namespace PrestaShop\PrestaShop\Core\Grid\Column\Type {
	final class DataColumn {
		/** @var array */
		public $set = array();

		public function __construct( string $id ) {
			$this->set['id'] = $id;
		}

		public function __call( string $name, array $values ): self {
			$this->set[ substr( $name, 3 ) ] = $values[0];
			return $this;
		}
	}
}

namespace PrestaShop\PrestaShop\Core\Grid\Filter {
	final class Filter {
		/** @var array */
		public $set = array();

		public function __construct( string $name, string $type ) {
			$this->set = compact( 'name', 'type' );
		}

		public function __call( string $name, array $values ): self {
			$this->set[ substr( $name, 3 ) ] = $values[0];
			return $this;
		}
	}
}
